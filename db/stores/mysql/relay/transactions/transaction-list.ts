import { type SQL, sql } from "drizzle-orm";
import type { TableName } from "#db/stores/port/mapping.ts";
import type { OwnTables, Session } from "../../connection/session.ts";
import type { RelaySessions } from "../../connection/sessions.ts";

/** A transaction that has written, or has locked rows. Ids only grow. */
export interface OpenTransaction {
  id: bigint;
  /** Of its session; `0` without one, as after XA PREPARE. */
  thread: string;
  /** What the session is executing. */
  query: string;
}

export interface TransactionList {
  /** Names the server: another server has other ids. */
  server: string;
  open: readonly OpenTransaction[];
}

const SERVER = sql`SELECT CONCAT_WS(' ', @@hostname, @@port, @@server_id)`;
const NO_THREAD = "0";
/** A transaction that has written nothing has an address in place of an id; addresses start here. */
const WRITES = sql`trx_id > 0 AND trx_id < 281474976710656`;

/** Locks no row, but a transaction gets the id of one that writes. */
export function markerStatement(own: OwnTables): SQL {
  return sql`SELECT 1 FROM ${own.lease} WHERE outbox = '' FOR UPDATE`;
}

/** The server's list, which may be outdated. `mark` is a part of the statement's text. */
export async function readList(session: Session, mark: string): Promise<TransactionList> {
  const [named, open] = await session.script([
    SERVER,
    sql`SELECT ${sql.raw(`/* ${mark} */`)} trx_id, trx_mysql_thread_id, LEFT(trx_query, 100) FROM information_schema.innodb_trx WHERE ${WRITES}`,
  ]);
  return {
    server: named?.rows[0]?.[0] ?? "",
    open: (open?.rows ?? []).map(([id, thread, query]) => ({
      id: BigInt(id ?? 0),
      thread: thread ?? NO_THREAD,
      query: query ?? "",
    })),
  };
}

/** Sessions that hold a lock on a table as a writer does. */
export interface Writers {
  server: string;
  threads: ReadonlySet<string>;
}

/**
 * The table's writers, by its metadata locks: a writer holds one from before it takes its number until its transaction
 * ends. Null where the server keeps no list of them: our own lock is missing then.
 */
export async function readWriters(
  sessions: Pick<RelaySessions, "once">,
  { schema, name }: TableName,
): Promise<Writers | null> {
  const [named, , locks] = await sessions.once([
    SERVER,
    sql`SELECT 1 FROM ${sql.identifier(schema)}.${sql.identifier(name)} LIMIT 0`,
    sql`SELECT t.processlist_id, l.lock_type, t.processlist_id = CONNECTION_ID() FROM performance_schema.metadata_locks l
      JOIN performance_schema.threads t ON t.thread_id = l.owner_thread_id
      WHERE l.object_type = 'TABLE' AND l.object_schema = ${schema} AND l.object_name = ${name} AND l.lock_status = 'GRANTED'`,
  ]);
  const rows = locks?.rows ?? [];
  if (!rows.some(([, , isOwn]) => isOwn === "1")) return null;
  const writing = rows.filter(([, type]) => type !== "SHARED_READ");
  return {
    server: named?.rows[0]?.[0] ?? "",
    threads: new Set(writing.map(([thread]) => thread ?? NO_THREAD)),
  };
}

/** A transaction without a session counts: the server does not show its locks. */
export function mayWrite({ threads }: Writers, { thread }: OpenTransaction): boolean {
  return thread === NO_THREAD || threads.has(thread);
}
