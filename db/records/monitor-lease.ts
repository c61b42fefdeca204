import type { Pool } from "pg";
import { tryToWrite } from "../stores/postgres/connection/transaction.ts";

/**
 * Takes or renews the lease on the database's clock. There is one row: of two concurrent takers, one waits and then
 * sees the other.
 */
const TAKE_SQL = `
INSERT INTO outbox_console_app.monitor_lease AS held (id, owner, until, heartbeat_at)
VALUES (1, $1, clock_timestamp() + $2 * interval '1 millisecond', clock_timestamp())
ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, heartbeat_at = clock_timestamp(),
  until = clock_timestamp() + $2 * interval '1 millisecond'
WHERE held.owner = excluded.owner OR held.until < clock_timestamp()
RETURNING owner`;

/** True if `owner` leads now, for `leaseMs`. */
export async function takeMonitorLease(db: Pool, owner: string, leaseMs: number): Promise<boolean> {
  const { rowCount } = await db.query(TAKE_SQL, [owner, leaseMs]);
  return rowCount === 1;
}

/** Throws the database's error if a monitor could not write its lease; changes nothing. */
export async function tryMonitorLease(db: Pool): Promise<void> {
  await tryToWrite(db, (client) =>
    client.query("UPDATE outbox_console_app.monitor_lease SET until = until WHERE id = 1"),
  );
}

/** Ends the lease now, so another monitor can lead at once. */
export async function releaseMonitorLease(db: Pool, owner: string): Promise<void> {
  await db.query("UPDATE outbox_console_app.monitor_lease SET until = clock_timestamp() WHERE id = 1 AND owner = $1", [
    owner,
  ]);
}
