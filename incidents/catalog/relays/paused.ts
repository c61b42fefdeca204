import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** Paused on purpose. */
export const paused: Incident = {
  name: "paused",
  stack: "tables",
  outboxes: [outboxSpec("paused", RELAYED)],
  produce: async (scene) => {
    await scene.pause();
    await scene.writeMany(5, "order.placed", 5);
  },
  stages: [{ word: "paused", status: "warn", rule: "paused", cause: [/deploying the gateway/, /until/] }],
  mend: (scene) => scene.resume().then(() => undefined),
};
