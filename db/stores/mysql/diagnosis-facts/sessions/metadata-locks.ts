import { type SQL, sql } from "drizzle-orm";
import type { TableName } from "#db/stores/port/mapping.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import type { Session } from "../../connection/session.ts";

/**
 * A metadata lock on the whole table, from performance_schema. Every statement takes one, and its transaction keeps it.
 */
export interface MetadataLock {
  /** The thread's id in performance_schema, not the connection's. */
  thread: number;
  /** 0 where its thread is gone: a prepared transaction keeps what it has locked. */
  connection: number;
  mode: string;
  user?: string | null;
  /** Time since its request; of a held lock, as far back as the server remembers the session's statements. */
  seconds?: number | null;
}

/** InnoDB's own lock on the table, which goes with locks on its rows. */
export interface TableLock extends MetadataLock {
  /** The number of its transaction in InnoDB. */
  transaction: string;
}

export interface MetadataLocks {
  granted: MetadataLock[];
  /** Locks of plain reads: they block only requests for the whole table. */
  reading: MetadataLock[];
  /** Longest wait first. */
  pending: MetadataLock[];
  /** Granted ones of threads that are gone. */
  orphans: MetadataLock[];
}

/**
 * Locks that block other sessions' writes to the table; the last two also block reads. MariaDB's LOCK
 * TABLES … READ is not among them: it looks like a reader's lock.
 */
const WHOLE_TABLE = ["SHARED", "SHARED_READ_ONLY", "SHARED_NO_WRITE", "SHARED_NO_READ_WRITE", "EXCLUSIVE"];

/** These block reads of the table, so a request for one waits for every reader. */
const WITHOUT_READERS = ["SHARED_NO_READ_WRITE", "EXCLUSIVE"];

/** A migration takes it before it requests the whole table; only another migration waits for it. */
const MIGRATION = "SHARED_UPGRADABLE";

const READING = "SHARED_READ";

/** From the weakest on. Locks of plain reads are not among them. */
const MODES = ["IS", "S", "IX", "X", "SHARED_WRITE_LOW_PRIO", "SHARED_WRITE", MIGRATION, ...WHOLE_TABLE];

/** True for modes that block other sessions' reads. */
export function keepsOutReaders(mode: string): boolean {
  return WITHOUT_READERS.includes(mode);
}

/**
 * Least time for which a lock on the whole table has been held. A lock of LOCK TABLES lasts over any number of
 * statements, so waiting sessions may have waited for longer than the age known of the lock.
 */
export function heldAtLeast({ mode, seconds }: MetadataLock, { pending }: MetadataLocks): number {
  const waited = BY_LOCK_TABLES.includes(mode) ? pending.map((one) => one.seconds ?? 0) : [];
  return locksTable(mode) ? Math.floor(Math.max(0, seconds ?? 0, ...waited)) : 0;
}

/** Only LOCK TABLES and FLUSH TABLES … WITH READ LOCK take these, and no commit gives them up. */
const BY_LOCK_TABLES = ["SHARED", "SHARED_READ_ONLY", "SHARED_NO_READ_WRITE"];

export function unlockStatementOf(mode: string): { unlockStatement?: string } {
  return BY_LOCK_TABLES.includes(mode) ? { unlockStatement: "UNLOCK TABLES" } : {};
}

/** True for modes that block all writes to the table; readers may have to wait as well. */
export function locksTable(mode: string): boolean {
  return WHOLE_TABLE.includes(mode);
}

/** Sessions that wait for the whole table and make others queue behind them; the next in line first. */
export interface TableQueue {
  sessions: MetadataLock[];
  /** The next in line waits for readers, too. */
  waitsForReaders: boolean;
}

/** A migration that waits for another migration requests the whole table after it. */
export function queueOf({ granted, pending }: MetadataLocks): TableQueue {
  const requests = pending.filter(({ mode }) => locksTable(mode) || mode === MIGRATION);
  const isNext = ({ connection }: MetadataLock) =>
    granted.some((lock) => lock.connection === connection && lock.mode === MIGRATION);
  return {
    sessions: [...requests.filter(isNext), ...requests.filter((one) => !isNext(one))],
    waitsForReaders: requests.some(({ mode }) => WITHOUT_READERS.includes(mode)),
  };
}

export function strongerMode(one: string, other: string): string {
  return MODES.indexOf(one) >= MODES.indexOf(other) ? one : other;
}

/** True if the server records metadata locks: MariaDB does only when it was started with performance_schema. */
export async function keepsMetadataLocks(session: Session): Promise<boolean> {
  const [row] = await session.rows("SELECT @@performance_schema");
  if (row?.[0] !== "1") return false;
  const [instrument] = await session.rows(
    "SELECT enabled FROM performance_schema.setup_instruments WHERE name = 'wait/lock/metadata/sql/mdl'",
  );
  return instrument?.[0] === "YES";
}

/**
 * Locks of other sessions on the table, and on everything at once (FLUSH TABLES WITH READ LOCK). Never waits for the
 * table.
 */
export async function readMetadataLocks(session: Session, { schema, name }: TableName): Promise<MetadataLocks> {
  const isTable = sql`m.object_schema = ${schema} AND m.object_name = ${name}`;
  const locks = await readLocks(session, sql`${IS_OF_TABLE} AND ${isTable} OR ${IS_OF_ALL}`);
  return sorted(locks);
}

/** Locks of other sessions on the tables of a condition over `m`, by name. Never waits for a table. */
export async function readMetadataLocksWhere(session: Session, where: SQL): Promise<Map<string, MetadataLocks>> {
  const locks = await readLocks(session, sql`${IS_OF_TABLE} AND ${where}`);
  const byTable = Map.groupBy(locks, ({ table }) => table);
  return new Map([...byTable].map(([table, ofTable]) => [table, sorted(ofTable)]));
}

/** FLUSH TABLES WITH READ LOCK has one of mode SHARED; on a table, SHARED is a lock that blocks no one. */
const IS_OF_ALL = sql`m.object_type = 'GLOBAL' AND m.lock_type = 'SHARED' AND m.lock_status = 'GRANTED'`;
const IS_OF_TABLE = sql`m.object_type = 'TABLE' AND m.lock_type <> 'SHARED' AND m.lock_type IN (${listOf(
  [...MODES, READING].map((mode): SQL => sql`${mode}`),
)})`;

interface FoundLock {
  table: string;
  status: string | null | undefined;
  lock: MetadataLock;
}

/**
 * Time since the end of the statement that took the lock. The server forgets it once the session has executed many
 * others; then since the earliest later statement that it knows. Null if the server keeps no statements.
 */
const HELD_SECONDS = sql`(
    (SELECT CAST(MAX(c.timer_start) AS SIGNED) FROM performance_schema.events_statements_current c
      JOIN performance_schema.threads own ON own.thread_id = c.thread_id WHERE own.processlist_id = CONNECTION_ID())
    - (SELECT CAST(MIN(h.timer_end) AS SIGNED) FROM performance_schema.events_statements_history h
      WHERE h.thread_id = m.owner_thread_id AND h.end_event_id >= m.owner_event_id)) / 1000000000000`;

/** Longest in its statement first. */
async function readLocks(session: Session, where: SQL): Promise<FoundLock[]> {
  const rows = await session.rows(
    sql`SELECT m.owner_thread_id, t.processlist_id, m.lock_type, m.lock_status, t.processlist_user, m.object_name,
        CASE m.lock_status WHEN 'PENDING' THEN t.processlist_time ELSE ${HELD_SECONDS} END
      FROM performance_schema.metadata_locks m LEFT JOIN performance_schema.threads t ON t.thread_id = m.owner_thread_id
      WHERE NOT (t.processlist_id <=> CONNECTION_ID()) AND m.lock_status IN ('GRANTED', 'PENDING') AND (${where})
      ORDER BY t.processlist_time DESC, m.owner_thread_id`,
  );
  return rows.map(([thread, connection, mode, status, user, table, seconds]) => ({
    table: table ?? "",
    status,
    lock: {
      ...{ thread: Number(thread), connection: Number(connection ?? 0), mode: mode ?? "", user: user ?? null },
      seconds: seconds == null ? null : Number(seconds),
    },
  }));
}

function sorted(locks: readonly FoundLock[]): MetadataLocks {
  const of = (wanted: string) => locks.filter(({ status }) => status === wanted).map(({ lock }) => lock);
  const granted = Map.groupBy(of("GRANTED"), ({ connection, mode }) => kindOf(connection, mode));
  const found = (kind: ReturnType<typeof kindOf>) => granted.get(kind) ?? [];
  return { granted: found("granted"), reading: found("reading"), orphans: found("orphan"), pending: of("PENDING") };
}

function kindOf(connection: number, mode: string): "granted" | "reading" | "orphan" {
  if (connection === 0) return "orphan";
  return mode === READING ? "reading" : "granted";
}
