import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** The receiver refuses each message for good: nothing waits, and nothing is delivered either. */
export const everythingRejected: Incident = {
  name: "everything-rejected",
  stack: "sinks",
  outboxes: [outboxSpec("everything-rejected", RELAYED)],
  produce: async (scene) => {
    scene.sink.answer(() => ({ status: 400, body: "unknown schema version" }));
    scene.traffic({ eventType: "order.placed", perSecond: 1, aggregates: 10 });
  },
  stages: [
    {
      word: "not_delivering",
      status: "fail",
      rule: "dead_letters",
      cause: [/order\.placed/, /HTTP 400: unknown schema version/, /nothing else is published/],
      steadyReadings: 5,
    },
  ],
  mend: async (scene) => {
    scene.sink.heal();
    await scene.endTraffic();
    await scene.retry("dead");
  },
};
