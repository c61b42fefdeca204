import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** The token has expired. */
export const sinkRefusesCredentials: Incident = {
  name: "sink-refuses-credentials",
  stack: "sinks",
  outboxes: [outboxSpec("sink-refuses-credentials", RELAYED)],
  produce: async (scene) => {
    scene.sink.answer(() => ({ status: 401, body: "token expired" }));
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
    scene.traffic({ eventType: "invoice.rendered", perSecond: 3, aggregates: 10 });
  },
  stages: [
    { word: "not_delivering", rule: "sink_unavailable", cause: [/401|credentials/, /waits?/], steadyReadings: 3 },
  ],
  mend: async ({ sink }) => sink.heal(),
};
