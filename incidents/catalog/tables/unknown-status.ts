import type { Incident } from "../../incident.ts";
import { WORDED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** A status word that is not mapped. */
export const unknownStatus: Incident = {
  name: "unknown-status",
  stack: "tables",
  outboxes: [outboxSpec("unknown-status", WORDED)],
  produce: async ({ pool, table }) => {
    await pool.query(
      `INSERT INTO ${table} (aggregate_id, event_type, payload, status)
       SELECT 'order-' || n, 'order.placed', '{}', 'on_hold' FROM generate_series(1, 7) n`,
    );
  },
  stages: [
    {
      word: "unknown",
      status: "warn",
      rule: "unknown_status",
      cause: [/on_hold/, /\b7\b/],
      also: ({ findings }) =>
        /lifecycle|outbox\.yaml/.test(findings.body?.findings[0]?.nextStep ?? "")
          ? []
          : ["the next step does not say how to teach it"],
    },
  ],
  mend: async ({ pool, table }) => {
    await pool.query(`UPDATE ${table} SET status = 'sent'`);
  },
};
