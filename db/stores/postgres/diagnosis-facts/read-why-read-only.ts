import type { Pool } from "pg";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { SILENT_SOON_SECONDS } from "#domain/diagnosis/facts/relays.ts";
import type { NoWrites } from "#domain/diagnosis/facts/store-facts.ts";
import { isConnectionError, isServerTrouble } from "../connection/database-error.ts";
import { readWhyRefused } from "../connection/refused-connection.ts";
import { tryToWrite } from "../connection/transaction.ts";
import { whoLocksOwnTable } from "../own-schema/who-locks.ts";

const SETTINGS = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only')::bool AS "readOnly"`;

/**
 * Writes the last silent relay's row and leases as they are. Nothing while a relay of the outbox has a fresh heartbeat.
 * Index: primary keys of relay_instance and lease.
 */
const SAME_AGAIN = `WITH silent AS (
  SELECT i.id FROM outbox_console.relay_instance i WHERE i.outbox = $1 AND NOT EXISTS (
    SELECT FROM outbox_console.relay_instance o
    WHERE o.outbox = $1 AND o.heartbeat_at > clock_timestamp() - interval '${SILENT_SOON_SECONDS} s')
  ORDER BY i.heartbeat_at DESC LIMIT 1
), beat AS (
  INSERT INTO outbox_console.relay_instance AS r SELECT i.* FROM outbox_console.relay_instance i JOIN silent USING (id)
  WHERE i.outbox = $1 ON CONFLICT (outbox, id) DO UPDATE SET heartbeat_at = r.heartbeat_at
)
UPDATE outbox_console.lease l SET until = l.until FROM silent WHERE l.outbox = $1 AND l.partition = 0`;

const SERVER_WIDE = { tried: false, leased: false, everywhere: true };

const LOCKED = "55P03";
/** A deadlock or our time limit: says nothing of whether writes are taken. */
const NOT_REFUSED = new Set(["40001", "40P01", "57014"]);
/** Short, because a reading waits for it; a row that the relay itself has locked is no reason. */
const SHORT_WAIT = "SET LOCAL lock_timeout = 300";
/** Sessions whose commits wait for a standby. Until then their rows stay locked and their writes invisible. */
const STANDBY_AWAITED = `SELECT current_setting('synchronous_standby_names') AS names FROM pg_stat_activity
  WHERE wait_event = 'SyncRep' AND datname = current_database() AND query_start < clock_timestamp() - interval '2 s' LIMIT 1`;
const STANDBY_REMEDY =
  "Bring the standby back, or take it out of synchronous_standby_names (ALTER SYSTEM, then SELECT pg_reload_conf()): the commits that wait are then done.";

/** The tables of SAME_AGAIN. A relay of ours locks them for a moment. */
const OF_A_HEARTBEAT = ["relay_instance", "lease"];

/**
 * Why sessions that are to write cannot; null if they can. The pool's sessions do not ask to be read-only. A full disk
 * or a permission that was revoked is in no setting: where the relays of the outbox have fallen silent, their heartbeat
 * is tried, and rolled back.
 */
export async function readWhyReadOnly(writes: Pool, outbox: string): Promise<NoWrites | null> {
  const refusal = await readWhyRefused(writes, outbox);
  if (refusal !== null) return { ...refusal, refusesConnections: true, tried: true, leased: false, everywhere: true };
  const reason = await whyOutdated(writes);
  if (reason !== null) return { reason, ...SERVER_WIDE };
  const [awaited] = (await writes.query<{ names: string }>(STANDBY_AWAITED)).rows;
  if (awaited) return awaitsStandby(awaited.names);
  const refused = await whyRefused(writes, outbox);
  return refused === null ? null : { ...refused, tried: true, leased: await isLeased(writes, outbox) };
}

/** The next reading asks over a new connection: its server or its settings may be others. */
async function whyOutdated(writes: Pool): Promise<string | null> {
  const client = await writes.connect();
  let reason: string | null = null;
  try {
    const [row] = (await client.query<{ standby: boolean; readOnly: boolean }>(SETTINGS)).rows;
    if (row?.standby) reason = "the server is a standby";
    else if (row?.readOnly) reason = "its sessions are read-only by default";
    return reason;
  } finally {
    client.release(reason !== null);
  }
}

/** A heartbeat is a commit too and waits as well, so running and stopped relays look alike. */
function awaitsStandby(names: string): NoWrites {
  const reason = `commits wait for a synchronous standby that does not confirm them, synchronous_standby_names is "${names.slice(0, 80)}"`;
  return { reason, ...SERVER_WIDE, remedy: STANDBY_REMEDY };
}

/** Index: primary key of lease. */
async function isLeased(writes: Pool, outbox: string): Promise<boolean> {
  const { rows } = await writes.query<{ leased: boolean }>(
    `SELECT EXISTS (SELECT FROM outbox_console.lease WHERE outbox = $1 AND until > clock_timestamp()) AS leased`,
    [outbox],
  );
  return rows[0]?.leased ?? false;
}

async function whyRefused(writes: Pool, outbox: string): Promise<Pick<NoWrites, "reason" | "everywhere"> | null> {
  try {
    await tryToWrite(writes, async (client) => {
      await client.query(SHORT_WAIT);
      await client.query(SAME_AGAIN, [outbox]);
    });
  } catch (error) {
    if (isConnectionError(error)) throw error;
    // Null if only a row is locked: its relay may have been stopped in the middle of a heartbeat.
    if (errorCode(error) === LOCKED) {
      const lock = await whoLocksOwnTable(writes, "writers", OF_A_HEARTBEAT);
      return lock && { reason: lock.clause, everywhere: false };
    }
    if (!(error instanceof Error) || NOT_REFUSED.has(errorCode(error) ?? "")) return null;
    // The error is about our own tables: the server's text holds only names and numbers.
    const reason = error.message.split("\n", 1)[0]?.slice(0, 200) ?? "";
    return { reason, everywhere: isServerTrouble(error) };
  }
  return null;
}
