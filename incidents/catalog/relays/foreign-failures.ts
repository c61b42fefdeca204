import type { Incident } from "../../incident.ts";
import { WORDED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** Another program publishes, and marks some rows as failed. Nothing retries them: they are why messages are late. */
export const foreignFailures: Incident = {
  name: "foreign-failures",
  stack: "tables",
  outboxes: [outboxSpec("foreign-failures", WORDED)],
  produce: async ({ pool, table }) => {
    await pool.query(
      `INSERT INTO ${table} (aggregate_id, event_type, payload, status)
       SELECT 'order-' || n, 'order.placed', '{}', 'failed' FROM generate_series(1, 9) n`,
    );
  },
  stages: [
    {
      word: "in_part",
      status: ["warn", "fail"],
      rule: "failing",
      cause: [/^9 messages failed/],
      steadyReadings: 3,
    },
  ],
  mend: async ({ pool, table }) => {
    await pool.query(`UPDATE ${table} SET status = 'sent'`);
  },
};
