import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/**
 * The receiver takes so long that its aggregates cannot keep up: its time is told, and the advice is not another
 * worker.
 */
export const sinkSlow: Incident = {
  name: "sink-slow",
  stack: "sinks",
  outboxes: [outboxSpec("sink-slow", RELAYED)],
  produce: async (scene) => {
    scene.sink.answer(() => ({ status: 204, delayMs: 1500 }));
    scene.traffic({ eventType: "order.placed", perSecond: 8, aggregates: 6 });
  },
  stages: [
    {
      rule: "overdue",
      word: "late",
      cause: [/the sink sink-slow takes about (1\.\d|2\.\d) s a message/],
      also: ({ findings }) =>
        /^See why the receiver takes so long/.test(findings.body?.findings[0]?.nextStep ?? "")
          ? []
          : ["the next step is not about the receiver"],
      steadyReadings: 2,
      withinSeconds: 60,
    },
  ],
  mend: async ({ sink }) => sink.heal(),
};
