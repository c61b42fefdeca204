import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const UP_MS = 4000;
const DOWN_MS = 4000;

/** The receiver comes and goes: one outage, which says that the sink worked in between, and messages get through. */
export const sinkFlaps: Incident = {
  name: "sink-flaps",
  stack: "sinks",
  outboxes: [outboxSpec("sink-flaps", RELAYED)],
  produce: async (scene) => {
    scene.sink.answer(() =>
      performance.now() % (UP_MS + DOWN_MS) < DOWN_MS ? { status: 503, body: "no upstream" } : null,
    );
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
    scene.traffic({ eventType: "invoice.rendered", perSecond: 3, aggregates: 10 });
  },
  stages: [
    {
      word: "not_delivering",
      rule: "sink_unavailable",
      cause: [/HTTP 503: no upstream/, /it worked briefly (once|\d+ times) in between/, /since .*\d\d:\d\d/, /waits?/],
      withinSeconds: 90,
    },
  ],
  mend: async ({ sink }) => sink.heal(),
};
