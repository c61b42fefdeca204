import type { Pool } from "pg";
import { instantText } from "../stores/postgres/tables/mapping-sql.ts";

export interface MonitorLease {
  owner: string;
  /** RFC 3339, on the clock of the console's database. */
  heartbeatAt: string;
  heartbeatAgeSeconds: number;
}

/** The monitor that leads or led last, with its last heartbeat; null if none ever led. */
export async function readMonitorLease(db: Pool): Promise<MonitorLease | null> {
  const result = await db.query<MonitorLease>(
    `SELECT owner, ${instantText("heartbeat_at")} AS "heartbeatAt", extract(epoch FROM clock_timestamp() - heartbeat_at)::float8 AS "heartbeatAgeSeconds" FROM outbox_console_app.monitor_lease WHERE id = 1`,
  );
  return result.rows[0] ?? null;
}
