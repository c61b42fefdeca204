import type { Pool } from "pg";

/** Deletes attempts older than `keepDays`, at most `batch`. Uses attempt_started_idx. Returns how many. */
export async function deleteOldAttempts(db: Pool, keepDays: number, batch: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM outbox_console.attempt WHERE id = ANY (ARRAY(
       SELECT id FROM outbox_console.attempt WHERE started_at < clock_timestamp() - make_interval(days => $1)
       ORDER BY started_at LIMIT $2))`,
    [keepDays, batch],
  );
  return rowCount ?? 0;
}

/**
 * Deletes records of rows restored more than `keepDays` ago, at most `batch`. A slot that has not passed the
 * transaction of a restore may deliver that insert again, and only this record shows that it is no new message; so a
 * slot unread for months keeps the record for months. A lost slot delivers nothing and keeps none. No index: few rows
 * are ever restored. Returns how many.
 */
export async function deleteOldRestored(db: Pool, keepDays: number, batch: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM outbox_console.restored WHERE (outbox, message_id) IN (
       SELECT outbox, message_id FROM outbox_console.restored r
       WHERE at < clock_timestamp() - make_interval(days => $1)
         AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.database = current_database()
           AND s.wal_status IS DISTINCT FROM 'lost' AND age(s.catalog_xmin) >= age(r.xmin))
       ORDER BY at LIMIT $2)`,
    [keepDays, batch],
  );
  return rowCount ?? 0;
}
