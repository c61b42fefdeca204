import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** The gateway accepts requests and never answers. */
export const sinkHangs: Incident = {
  name: "sink-hangs",
  stack: "sinks",
  outboxes: [outboxSpec("sink-hangs", RELAYED)],
  produce: async (scene) => {
    scene.sink.answer(() => "hang");
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
    scene.traffic({ eventType: "invoice.rendered", perSecond: 3, aggregates: 10 });
  },
  stages: [
    {
      word: "not_delivering",
      rule: "sink_unavailable",
      cause: [/no answer|did not answer|does not answer|timed? ?out/i, /waits?/],
      steadyReadings: 4,
    },
  ],
  mend: async ({ sink }) => sink.heal(),
};
