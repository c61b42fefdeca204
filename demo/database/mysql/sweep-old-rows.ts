import type { Pool, ResultSetHeader } from "mysql2/promise";

const BATCH = 500;

const SWEEPS = [
  `DELETE FROM outbox_events WHERE created_at < NOW(6) - INTERVAL 2 HOUR AND published_at < NOW(6) - INTERVAL 1 HOUR
   ORDER BY created_at, id LIMIT ${BATCH}`,
  `DELETE FROM orders WHERE status IN ('shipped', 'cancelled') AND updated_at < NOW(6) - INTERVAL 2 HOUR LIMIT ${BATCH}`,
  `DELETE FROM loyalty_inbox WHERE received_at < NOW(6) - INTERVAL 6 HOUR ORDER BY received_at LIMIT ${BATCH}`,
  `DELETE FROM analytics_processed_events WHERE processed_at < NOW(6) - INTERVAL 6 HOUR ORDER BY processed_at LIMIT ${BATCH}`,
];

export async function sweepOldRows(pool: Pool): Promise<number> {
  let swept = 0;
  for (const sql of SWEEPS) {
    const [{ affectedRows }] = await pool.query<ResultSetHeader>(sql);
    swept += affectedRows;
  }
  return swept;
}
