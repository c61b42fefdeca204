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

/** What a monitor writes besides its lease. Rows of all of them are deleted at the end of their time. */
const WRITTEN = ["sample", "finding", "alert_state", "alert_delivery"];
const TRY_ALL = WRITTEN.map((table) => `EXPLAIN DELETE FROM outbox_console_app.${table} WHERE false`).join("; ");

/**
 * Throws the database's error if a monitor that has its lease could not write: a table is missing or forbidden. Writes
 * nothing.
 */
export async function tryMonitorTables(db: Pool): Promise<void> {
  await db.query(TRY_ALL);
}

/** Each writes a new version of one row, which needs the room that a new row needs, and waits for nobody's row. */
const TRY_ROWS = WRITTEN.map((name) => {
  const table = `outbox_console_app.${name}`;
  return `UPDATE ${table} SET outbox = outbox WHERE ctid = (SELECT ctid FROM ${table} LIMIT 1 FOR UPDATE SKIP LOCKED)`;
}).join("; ");

/**
 * Throws the database's error if a monitor that has its lease could not write a row: a disk is full, and the lease, one
 * small row, is still renewed in its place. Changes nothing, but leaves a dead version of one row in each table.
 */
export async function tryMonitorRows(db: Pool): Promise<void> {
  await tryToWrite(db, (client) => client.query(TRY_ROWS));
}

/** Ends the lease now, so another monitor can lead at once. */
export async function releaseMonitorLease(db: Pool, owner: string): Promise<void> {
  await db.query("UPDATE outbox_console_app.monitor_lease SET until = clock_timestamp() WHERE id = 1 AND owner = $1", [
    owner,
  ]);
}
