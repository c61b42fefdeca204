import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const SUBJECT = { eventType: "invoice.rendered" };

/** One type is paused on purpose; its waiting messages are late, and nothing is broken. */
export const typePaused: Incident = {
  name: "type-paused",
  stack: "tables",
  outboxes: [
    outboxSpec("type-paused", RELAYED, { config: { thresholds: { oldestPending: { warn: "3s", fail: "60s" } } } }),
  ],
  produce: async (scene) => {
    await scene.pause(SUBJECT);
    scene.traffic({ eventType: SUBJECT.eventType, perSecond: 2, aggregates: 5 });
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
  },
  stages: [{ status: "warn", rule: "paused", cause: [/invoice\.rendered/, /paused/i], steadyReadings: 3 }],
  mend: (scene) => scene.resume(SUBJECT).then(() => undefined),
};
