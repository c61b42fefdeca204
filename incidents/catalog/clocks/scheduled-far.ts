import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const YEAR_SECONDS = 365 * 86_400;

/** Milliseconds stored as seconds. */
export const scheduledFar: Incident = {
  name: "scheduled-far",
  stack: "tables",
  outboxes: [outboxSpec("scheduled-far", RELAYED)],
  produce: async (scene) => {
    await scene.writeMany(3, "order.placed", 3, { dueInSeconds: YEAR_SECONDS });
  },
  stages: [{ word: "at_risk", status: "warn", rule: "scheduled_far", cause: [/\b3\b/, /scheduled/i] }],
  mend: async ({ pool, table }) => {
    await pool.query(`UPDATE ${table} SET available_at = NULL`);
  },
};
