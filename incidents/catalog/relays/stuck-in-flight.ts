import type { Incident } from "../../incident.ts";
import { WORDED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const MINUTES = 10;

/** The publisher died with rows marked as its own: neither pending nor published. */
export const stuckInFlight: Incident = {
  name: "stuck-in-flight",
  stack: "tables",
  outboxes: [outboxSpec("stuck-in-flight", WORDED)],
  produce: async ({ pool, table }) => {
    await pool.query(
      `INSERT INTO ${table} (aggregate_id, event_type, payload, created_at, status)
       SELECT 'order-' || n, 'order.placed', '{}', now() - interval '${MINUTES} minutes', 'processing' FROM generate_series(1, 7) n`,
    );
  },
  stages: [
    {
      status: "fail",
      cause: [/\b7\b/, /in flight|claim|processing/i],
      also: ({ snapshot }) =>
        (snapshot.body?.oldestPending?.ageSeconds ?? 0) >= MINUTES * 60 ? [] : ["the age leaves out what is in flight"],
    },
  ],
  mend: async ({ pool, table }) => {
    await pool.query(`UPDATE ${table} SET status = 'sent'`);
  },
};
