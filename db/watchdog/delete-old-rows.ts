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

/**
 * Relay instances that have been silent for `silentHours`; the newest of each outbox stays, so that "last heard" can be
 * told however long ago it was. Returns how many went.
 */
export async function deleteGoneRelays(db: Pool, silentHours: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM outbox_console.relay_instance gone
     WHERE gone.heartbeat_at < clock_timestamp() - make_interval(hours => $1)
       AND EXISTS (SELECT FROM outbox_console.relay_instance newer WHERE newer.outbox = gone.outbox AND newer.heartbeat_at > gone.heartbeat_at)`,
    [silentHours],
  );
  return rowCount ?? 0;
}
