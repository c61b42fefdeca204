import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** The relay's destination refuses connections. */
export const sinkDown: Incident = {
  name: "sink-down",
  stack: "sinks",
  outboxes: [outboxSpec("sink-down", RELAYED)],
  produce: async (scene) => {
    await scene.sink.down();
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
    scene.traffic({ eventType: "invoice.rendered", perSecond: 3, aggregates: 10 });
  },
  stages: [
    {
      word: "not_delivering",
      rule: "sink_unavailable",
      cause: [/ECONNREFUSED/, /since .*\d\d:\d\d/, /[\d,]+ (messages? )?waits?/],
      steadyReadings: 7,
    },
  ],
  mend: ({ sink }) => sink.up(),
};
