import type { Incident } from "../../incident.ts";
import { AGELESS } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** Rows wait, but the table records no times, so their age is unknown. */
export const noAges: Incident = {
  name: "no-ages",
  stack: "tables",
  outboxes: [outboxSpec("no-ages", AGELESS)],
  produce: async ({ pool, table }) => {
    await pool.query(
      `INSERT INTO ${table} (aggregate_id, event_type, payload) SELECT 'order-' || n, 'order.placed', '{}' FROM generate_series(1, 12) n`,
    );
  },
  stages: [
    {
      word: "unknown",
      status: "warn",
      rule: "not_known",
      cause: [/age|creat/i],
      mentions: [/creat|createdAt|column/i],
    },
  ],
  mend: async ({ pool, table }) => {
    await pool.query(`UPDATE ${table} SET sent = true`);
  },
};
