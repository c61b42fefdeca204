import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** The receiver answers every request with an error, so no type is to blame. */
export const sinkAnswers500: Incident = {
  name: "sink-answers-500",
  stack: "sinks",
  outboxes: [outboxSpec("sink-answers-500", RELAYED)],
  produce: async (scene) => {
    scene.sink.answer(() => ({ status: 500, body: "out of memory" }));
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
    scene.traffic({ eventType: "invoice.rendered", perSecond: 3, aggregates: 10 });
  },
  stages: [
    {
      word: "not_delivering",
      rule: "sink_unavailable",
      cause: [/HTTP 500/, /since .*\d\d:\d\d/, /waits?/],
      steadyReadings: 7,
    },
  ],
  mend: async ({ sink }) => sink.heal(),
};
