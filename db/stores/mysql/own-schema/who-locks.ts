import { type SQL, sql } from "drizzle-orm";
import type { OwnTableLock } from "#db/stores/shared/connection/own-table-locked.ts";
import type { OwnPlace } from "../connection/own-place.ts";
import type { Session } from "../connection/session.ts";
import {
  keepsMetadataLocks,
  keepsOutReaders,
  locksTable,
  type MetadataLock,
  type MetadataLocks,
  queueOf,
  readMetadataLocksWhere,
} from "../diagnosis-facts/sessions/metadata-locks.ts";
import { endSessionSql, isOurs, readPrograms } from "../diagnosis-facts/sessions/our-sessions.ts";

/**
 * Another program's lock on one of our tables, of these or of all; null if there is none, or the server keeps no
 * metadata locks. `against`: whom it keeps waiting. Never waits for a table.
 */
export async function whoLocksOwnTable(
  session: Session,
  against: "readers" | "writers",
  tables: readonly string[] | null = null,
): Promise<OwnTableLock | null> {
  if (!(await keepsMetadataLocks(session))) return null;
  const { place } = session.own;
  const locks = await readMetadataLocksWhere(session, ofPlace(place, tables));
  if (locks.size === 0) return null;
  const programs = await readPrograms(session);
  for (const [table, ofTable] of locks) {
    const found = blockerOf(ofTable, against, ({ connection }) => isOurs(programs.get(connection)));
    if (!found) continue;
    const { holder, queued } = found;
    const what = tableName(place, table);
    const clause = queued
      ? `${nameOf(queued, programs)} waits for a lock on ${what} and all others wait behind it, because ${nameOf(holder, programs)} has a transaction open`
      : `${nameOf(holder, programs)} has locked ${what}`;
    return { clause, endStatement: endSessionSql(holder.connection) };
  }
  return null;
}

/** The session that blocks our writers of one of our tables; with `rows`, also one that has locked only rows. */
export async function whoLocksOurs(session: Session, { rows }: { rows: boolean }): Promise<OwnTableLock | null> {
  return (await whoLocksOwnTable(session, "writers")) ?? (rows ? whoLocksOwnRows(session) : null);
}

/**
 * Another program's transaction that blocks our writes by locks on rows of our tables; null as above, and on MariaDB.
 */
export async function whoLocksOwnRows(
  session: Session,
  tables: readonly string[] | null = null,
): Promise<OwnTableLock | null> {
  if (session.server.flavor === "mariadb") return null;
  const rows = await session.rows(
    // By the lock on the table: a row's lock names another session's thread once an insert has moved the row.
    sql`SELECT DISTINCT t.processlist_id, t.processlist_user, m.object_name
      FROM performance_schema.data_locks m JOIN performance_schema.data_locks rows_ ON rows_.engine_transaction_id = m.engine_transaction_id
        AND rows_.object_schema = m.object_schema AND rows_.object_name = m.object_name
      JOIN performance_schema.threads t ON t.thread_id = m.thread_id
      WHERE ${ofPlace(session.own.place, tables)} AND m.lock_type = 'TABLE'
        AND rows_.lock_type = 'RECORD' AND rows_.lock_status = 'GRANTED' AND rows_.lock_mode NOT LIKE '%,GAP%'
        AND t.processlist_id <> CONNECTION_ID()`,
  );
  if (rows.length === 0) return null;
  const programs = await readPrograms(session);
  const found = rows.find(([connection]) => !isOurs(programs.get(Number(connection))));
  if (!found) return null;
  const [connection, user, table] = found;
  const holder = { connection: Number(connection), user: user ?? null };
  return {
    clause: `${nameOf(holder, programs)} has locked rows of ${tableName(session.own.place, table ?? "")}`,
    endStatement: endSessionSql(holder.connection),
  };
}

function nameOf(
  { connection, user }: Pick<MetadataLock, "connection" | "user">,
  programs: ReadonlyMap<number, string>,
): string {
  return `${programs.get(connection) ?? user ?? "a session"} (pid ${connection})`;
}

function tableName(place: OwnPlace, table: string): string {
  return `the table ${"database" in place ? `${place.database}.` : ""}${table}`;
}

/**
 * The session that all others wait for: it has locked the whole table, or a request for the whole table waits for it.
 */
function blockerOf(
  locks: MetadataLocks,
  against: "readers" | "writers",
  isOurOwn: (lock: MetadataLock) => boolean,
): { holder: MetadataLock; queued: MetadataLock | null } | null {
  const blocks = ({ mode }: MetadataLock) => (against === "readers" ? keepsOutReaders(mode) : locksTable(mode));
  const whole = locks.granted.find((lock) => blocks(lock) && !isOurOwn(lock));
  if (whole) return { holder: whole, queued: null };
  const queue = queueOf(locks);
  const [queued] = queue.sessions;
  if (!queued || (against === "readers" && !queue.waitsForReaders)) return null;
  const waits = ({ connection }: MetadataLock) => locks.pending.some((one) => one.connection === connection);
  const holder = [...locks.granted, ...locks.reading].find((lock) => !waits(lock) && !isOurOwn(lock));
  return holder ? { holder, queued } : null;
}

function ofPlace(place: OwnPlace, tables: readonly string[] | null): SQL {
  const prefix = "prefix" in place ? place.prefix : "";
  const schema = "database" in place ? sql`${place.database}` : sql`DATABASE()`;
  const isNamed =
    tables === null
      ? sql`LEFT(m.object_name, ${prefix.length}) = ${prefix}`
      : sql`m.object_name IN (${sql.join(
          tables.map((name) => sql`${prefix + name}`),
          sql`, `,
        )})`;
  return sql`m.object_schema = ${schema} AND ${isNamed}`;
}
