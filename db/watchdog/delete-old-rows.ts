import type { Pool } from "pg";

/** Attempts that are older than `keepDays`, at most `batch`. Uses attempt_started_idx. Returns how many went. */
export async function deleteOldAttempts(db: Pool, keepDays: number, batch: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM outbox_console.attempt WHERE id = ANY (ARRAY(
       SELECT id FROM outbox_console.attempt WHERE started_at < clock_timestamp() - make_interval(days => $1)
       ORDER BY started_at LIMIT $2))`,
    [keepDays, batch],
  );
  return rowCount ?? 0;
}
