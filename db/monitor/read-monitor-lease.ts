import type { Pool } from "pg";

/** The monitor that leads, as it last said; null when none ever did. */
export async function readMonitorLease(db: Pool): Promise<{ owner: string; heartbeatAgeSeconds: number } | null> {
  const result = await db.query<{ owner: string; heartbeatAgeSeconds: number }>(
    `SELECT owner, extract(epoch FROM clock_timestamp() - heartbeat_at)::float8 AS "heartbeatAgeSeconds" FROM outbox_console_app.monitor_lease WHERE id = 1`,
  );
  return result.rows[0] ?? null;
}
