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
}

export interface MetadataLocks {
  granted: MetadataLock[];
  pending: MetadataLock[];
}

/**
 * Locks under which nobody else can write to the table; under the last two nobody can read it either. MariaDB's LOCK
 * TABLES … READ is not among them: it looks like a reader's lock.
 */
const WHOLE_TABLE = ["SHARED", "SHARED_READ_ONLY", "SHARED_NO_WRITE", "SHARED_NO_READ_WRITE", "EXCLUSIVE"];

/** From the weakest on. Locks of plain reads are not among them. */
const MODES = ["IS", "S", "IX", "X", "SHARED_WRITE_LOW_PRIO", "SHARED_WRITE", "SHARED_UPGRADABLE", ...WHOLE_TABLE];

/** True for modes that block all writes to the table; readers may have to wait as well. */
export function locksTable(mode: string): boolean {
  return WHOLE_TABLE.includes(mode);
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
  const modes = listOf(MODES.map((mode): SQL => sql`${mode}`));
  const rows = await session.rows(
    sql`SELECT m.owner_thread_id, t.processlist_id, m.lock_type, m.lock_status
      FROM performance_schema.metadata_locks m JOIN performance_schema.threads t ON t.thread_id = m.owner_thread_id
      WHERE t.processlist_id <> CONNECTION_ID() AND m.lock_status IN ('GRANTED', 'PENDING')
        AND (m.object_type = 'TABLE' AND m.object_schema = ${schema} AND m.object_name = ${name} AND m.lock_type IN (${modes}) AND m.lock_type <> 'SHARED'
          OR m.object_type = 'GLOBAL' AND m.lock_type = 'SHARED' AND m.lock_status = 'GRANTED')`,
  );
  const locks = rows.map(([thread, connection, mode, status]) => ({
    lock: { thread: Number(thread), connection: Number(connection), mode: mode ?? "" },
    status,
  }));
  const of = (wanted: string) => locks.filter(({ status }) => status === wanted).map(({ lock }) => lock);
  return { granted: of("GRANTED"), pending: of("PENDING") };
}
