import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const BAD = "invoice.rendered";
const GOOD = "order.placed";

/** Every delivery of one type fails; the other types are fine. */
export function oneTypeFails(input: { name: string; status: number; body: string }): Incident {
  const { name, status, body } = input;
  return {
    name,
    stack: "sinks",
    outboxes: [outboxSpec(name, RELAYED)],
    produce: async (scene) => {
      scene.sink.answer(({ eventType }) => (eventType === BAD ? { status, body } : null));
      scene.traffic({ eventType: GOOD, perSecond: 5, aggregates: 20 });
      scene.traffic({ eventType: BAD, perSecond: 3, aggregates: 20 });
    },
    stages: [
      {
        word: "in_part",
        rule: "route_failing",
        cause: [
          /invoice\.rendered/,
          new RegExp(`HTTP ${status}`),
          /since .*\d\d:\d\d/,
          /[\d,]+ (messages? )?waits?/,
          /other types flow/,
        ],
        steadyReadings: 4,
        proves: async (scene) => scene.received(await scene.writeMany(20, GOOD, 20)),
      },
    ],
    mend: async ({ sink }) => sink.heal(),
  };
}
