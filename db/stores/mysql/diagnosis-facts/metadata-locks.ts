import { type SQL, sql } from "drizzle-orm";
import type { TableName } from "#db/stores/port/mapping.ts";
import type { Session } from "../connection/session.ts";
import { listOf } from "../tables/row-image.ts";

/** A lock on the whole table as performance_schema has it: statements take one, and transactions keep it. */
export interface MetadataLock {
  /** Of performance_schema; not the connection. */
  thread: number;
  connection: number;
  mode: string;
  user?: string | null;
}

export interface MetadataLocks {
  granted: MetadataLock[];
  /** Locks of plain reads: they keep out only who wants the whole table. */
  reading: MetadataLock[];
  /** Longest wait first. */
  pending: MetadataLock[];
}

/**
 * Locks under which nobody else can write to the table; under the last two nobody can read it either. MariaDB's LOCK
 * TABLES … READ is not among them: it looks like a reader's lock.
 */
const WHOLE_TABLE = ["SHARED", "SHARED_READ_ONLY", "SHARED_NO_WRITE", "SHARED_NO_READ_WRITE", "EXCLUSIVE"];

/** Under these nobody can read the table: who requests one waits for every reader. */
const WITHOUT_READERS = ["SHARED_NO_READ_WRITE", "EXCLUSIVE"];

/** A migration has it before it requests the whole table; only another migration waits for it. */
const MIGRATION = "SHARED_UPGRADABLE";

const READING = "SHARED_READ";

/** From the weakest on. Locks of plain reads are not among them. */
const MODES = ["IS", "S", "IX", "X", "SHARED_WRITE_LOW_PRIO", "SHARED_WRITE", MIGRATION, ...WHOLE_TABLE];

/** True for modes that block all writes to the table; readers may have to wait as well. */
export function locksTable(mode: string): boolean {
  return WHOLE_TABLE.includes(mode);
}

/** Sessions that wait for the whole table, so that others wait behind them: the next one first. */
export interface TableQueue {
  sessions: MetadataLock[];
  /** The next one waits for readers, too. */
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

/** Locks of other sessions on the table, and on everything at once (FLUSH TABLES WITH READ LOCK). Never waits for the table. */
export async function readMetadataLocks(session: Session, { schema, name }: TableName): Promise<MetadataLocks> {
  const modes = listOf([...MODES, READING].map((mode): SQL => sql`${mode}`));
  const rows = await session.rows(
    sql`SELECT m.owner_thread_id, t.processlist_id, m.lock_type, m.lock_status, t.processlist_user
      FROM performance_schema.metadata_locks m JOIN performance_schema.threads t ON t.thread_id = m.owner_thread_id
      WHERE t.processlist_id <> CONNECTION_ID() AND m.lock_status IN ('GRANTED', 'PENDING')
        AND (m.object_type = 'TABLE' AND m.object_schema = ${schema} AND m.object_name = ${name} AND m.lock_type IN (${modes}) AND m.lock_type <> 'SHARED'
          OR m.object_type = 'GLOBAL' AND m.lock_type = 'SHARED' AND m.lock_status = 'GRANTED')
      ORDER BY t.processlist_time DESC, m.owner_thread_id`,
  );
  const locks = rows.map(([thread, connection, mode, status, user]) => ({
    lock: { thread: Number(thread), connection: Number(connection), mode: mode ?? "", user: user ?? null },
    status,
  }));
  const of = (wanted: string) => locks.filter(({ status }) => status === wanted).map(({ lock }) => lock);
  const granted = Map.groupBy(of("GRANTED"), ({ mode }) => mode === READING);
  return { granted: granted.get(false) ?? [], reading: granted.get(true) ?? [], pending: of("PENDING") };
}
