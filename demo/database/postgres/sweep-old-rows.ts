import type { Pool } from "pg";

const BATCH = 500;

const SWEEPS = [
  `DELETE FROM shop.outbox_events WHERE id IN (
     SELECT id FROM shop.outbox_events WHERE created_at < now() - interval '2 hours' AND published_at < now() - interval '1 hour'
     ORDER BY created_at, id LIMIT ${BATCH})`,
  `DELETE FROM shop.orders WHERE id IN (
     SELECT id FROM shop.orders WHERE status IN ('shipped', 'cancelled') AND updated_at < now() - interval '2 hours' LIMIT ${BATCH})`,
  `DELETE FROM loyalty.inbox WHERE message_id IN (
     SELECT message_id FROM loyalty.inbox WHERE received_at < now() - interval '6 hours' ORDER BY received_at LIMIT ${BATCH})`,
  `DELETE FROM analytics.processed_events WHERE (consumer, event_id) IN (
     SELECT consumer, event_id FROM analytics.processed_events WHERE processed_at < now() - interval '6 hours' ORDER BY processed_at LIMIT ${BATCH})`,
];

export async function sweepOldRows(pool: Pool): Promise<number> {
  let swept = 0;
  for (const sql of SWEEPS) {
    const { rowCount } = await pool.query(sql);
    swept += rowCount ?? 0;
  }
  return swept;
}
