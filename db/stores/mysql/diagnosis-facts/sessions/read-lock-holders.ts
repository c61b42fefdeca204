import { sql } from "drizzle-orm";
import type { TableName } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { LockHolder } from "#domain/diagnosis/facts/sessions.ts";
import type { Session } from "../../connection/session.ts";
import { readFreshTransactions } from "./innodb-transactions.ts";
import { type LockSession, readLockSessions, sessionOf } from "./lock-sessions.ts";
import { countLockedRows } from "./locked-rows.ts";
import {
  heldAtLeast,
  keepsMetadataLocks,
  keepsOutReaders,
  locksTable,
  type MetadataLock,
  type MetadataLocks,
  queueOf,
  readMetadataLocks,
  strongerMode,
  type TableLock,
  type TableQueue,
  unlockStatementOf,
} from "./metadata-locks.ts";
import { isOurs, readPrograms } from "./our-sessions.ts";
import { readPreparedHolders } from "./prepared-holders.ts";
import { readContestedLocks } from "./read-contested-locks.ts";
import { type RowWait, readRowWaits } from "./row-waits.ts";

const MOST = 20;

/**
 * Other programs' sessions and prepared transactions that hold locks on waiting rows or the whole table, longest first.
 * Reads only the server's tables of locks, so it works even while the table itself is locked. Throws the server's error
 * if the user may not read them, and UnknownHoldersError if they do not show who holds the locks.
 */
export async function readLockHolders(session: Session, ref: OutboxRef, heldSeconds: number): Promise<LockHolder[]> {
  if (!(await keepsMetadataLocks(session))) return readContestedLocks(session, ref, heldSeconds);
  const { table } = ref.mapping;
  const locks = await readMetadataLocks(session, table);
  const queue = queueOf(locks);
  const { ofSessions, orphans } = await readRowLocks(session, table);
  const found = await readSessionHolders(session, ref, { locks, queue, rowLocks: ofSessions, heldSeconds });
  const prepared = await readPreparedHolders(session, ref, { locks, orphans, heldSeconds });
  const programs = queue.sessions.length > 0 ? await readPrograms(session) : new Map<number, string>();
  return [...found, ...prepared]
    .toSorted((one, other) => Date.parse(one.transactionAt) - Date.parse(other.transactionAt))
    .map((holder) => (isQueuedFor(holder) ? { ...holder, queuedSessions: namesOf(queue, programs) } : holder));
}

/** The lock itself is harmless; sessions that wait for the whole table behind it block others. */
function isQueuedFor({ wholeTable, mode }: LockHolder): boolean {
  return wholeTable && !locksTable(mode);
}

function namesOf({ sessions }: TableQueue, programs: ReadonlyMap<number, string>): string[] {
  return sessions.map((one) => nameOf(one, programs));
}

interface TableLocks {
  locks: MetadataLocks;
  queue: TableQueue;
  rowLocks: readonly TableLock[];
  heldSeconds: number;
}

async function readSessionHolders(
  session: Session,
  ref: OutboxRef,
  { locks, queue, rowLocks, heldSeconds }: TableLocks,
): Promise<LockHolder[]> {
  const held = withoutWaiting([...locks.granted, ...rowLocks], locks, queue);
  if (held.size === 0) return [];
  const programs = await readPrograms(session);
  const threads = [...held.values()].filter(({ connection }) => !isOurs(programs.get(connection)));
  const sessions = (await readSessions(session, threads)).map((one) => {
    const lock = held.get(one.pid);
    return lock ? since(one, heldAtLeast(lock, locks)) : one;
  });
  const old = sessions.filter(({ ageSeconds }) => ageSeconds >= heldSeconds);
  if (old.length === 0) return [];
  const waits = await readRowWaits(session, ref.mapping.table);
  const holders: LockHolder[] = [];
  for (const { ageSeconds: _, transactionKnown: __, ...one } of old.slice(0, MOST)) {
    const lock = held.get(one.pid);
    if (!lock) continue;
    const wholeTable = locksTable(lock.mode) || queue.sessions.length > 0;
    holders.push({
      ...one,
      applicationName: programs.get(one.pid) ?? null,
      mode: lock.mode,
      wholeTable,
      ...unlockStatementOf(lock.mode),
      keepsOutReaders: keepsOutReaders(lock.mode) || queue.waitsForReaders,
      rows: wholeTable ? 0 : await countRows(session, ref, transactionsOf(one.pid, rowLocks)),
      blockedPids: blockedBy(lock, waits, queue.sessions.length > 0 || locksTable(lock.mode) ? locks.pending : []),
    });
  }
  return holders;
}

/** Corrects the age of a session's lock: LOCK TABLES began before the session's last statement. */
function since(one: LockSession, seconds: number): LockSession {
  if (seconds <= one.ageSeconds) return one;
  const began = Math.floor(Date.parse(one.transactionAt) / 1000 + one.ageSeconds - seconds);
  return { ...one, ageSeconds: seconds, transactionAt: `${new Date(began * 1000).toISOString().slice(0, 19)}.000000Z` };
}

/** MariaDB keeps no list of row locks. */
function countRows(session: Session, { mapping }: OutboxRef, transactions: readonly string[]): Promise<number | null> {
  return session.server.flavor === "mariadb" ? Promise.resolve(null) : countLockedRows(session, mapping, transactions);
}

function transactionsOf(connection: number, rowLocks: readonly TableLock[]): string[] {
  return [...new Set(rowLocks.filter((one) => one.connection === connection).map(({ transaction }) => transaction))];
}

/** InnoDB's own locks. They include sessions with shared row locks, which by their metadata lock look like readers. */
async function readRowLocks(
  session: Session,
  { schema, name }: TableName,
): Promise<{ ofSessions: TableLock[]; orphans: TableLock[] }> {
  if (session.server.flavor === "mariadb") return { ofSessions: [], orphans: [] };
  const rows = await session.rows(
    sql`SELECT DISTINCT l.thread_id, t.processlist_id, l.lock_mode, l.engine_transaction_id
      FROM performance_schema.data_locks l LEFT JOIN performance_schema.threads t ON t.thread_id = l.thread_id
      WHERE l.object_schema = ${schema} AND l.object_name = ${name} AND l.lock_type = 'TABLE' AND l.lock_status = 'GRANTED'
        AND NOT (t.processlist_id <=> CONNECTION_ID())`,
  );
  const locks = rows.map(([thread, connection, mode, transaction]) => ({
    thread: Number(thread),
    connection: Number(connection ?? 0),
    mode: mode ?? "",
    transaction: transaction ?? "",
  }));
  const byOwner = Map.groupBy(locks, ({ connection }) => connection === 0);
  return { ofSessions: byOwner.get(false) ?? [], orphans: byOwner.get(true) ?? [] };
}

/**
 * The strongest lock of each session that others wait for. A migration that waits for the whole table is no holder: it
 * waits for another session, which may have read the table only.
 */
function withoutWaiting(
  locks: readonly MetadataLock[],
  { reading, pending }: MetadataLocks,
  queue: TableQueue,
): Map<number, MetadataLock> {
  const waits = ({ connection }: MetadataLock) => pending.some((one) => one.connection === connection);
  const isQueued = ({ connection }: MetadataLock) => queue.sessions.some((one) => one.connection === connection);
  const readers = queue.waitsForReaders ? reading.filter((one) => !waits(one)) : [];
  const held = strongestOf([...locks, ...readers]);
  for (const lock of held.values()) if (isQueued(lock) && !locksTable(lock.mode)) held.delete(lock.connection);
  return held;
}

function nameOf({ connection, user }: MetadataLock, programs: ReadonlyMap<number, string>): string {
  return `${programs.get(connection) ?? user ?? "a session"} (pid ${connection})`;
}

function strongestOf(locks: readonly MetadataLock[]): Map<number, MetadataLock> {
  const strongest = new Map<number, MetadataLock>();
  for (const lock of locks) {
    const known = strongest.get(lock.connection);
    if (known === undefined || strongerMode(known.mode, lock.mode) !== known.mode) strongest.set(lock.connection, lock);
  }
  return strongest;
}

/** Longest first. MariaDB's waits for rows come with the list of transactions, so that is read in any case. */
async function readSessions(session: Session, locks: readonly MetadataLock[]): Promise<LockSession[]> {
  if (locks.length === 0) return [];
  const sessions = await readLockSessions(
    session,
    locks.map(({ thread }) => thread),
  );
  const needed = session.server.flavor === "mariadb" || sessions.some(({ transactionKnown }) => !transactionKnown);
  const open = needed ? await readFreshTransactions(session) : [];
  return sessions
    .map((one) => {
      const transaction = one.transactionKnown ? undefined : open.find(({ connection }) => connection === one.pid);
      if (!transaction) return one;
      const { transactionAt, ageSeconds } = sessionOf(transaction);
      return { ...one, transactionAt, ageSeconds };
    })
    .toSorted((one, other) => other.ageSeconds - one.ageSeconds);
}

/** Connections that wait for a row that the session has locked; and `pending`, which wait for its lock on the table. */
function blockedBy(lock: MetadataLock, waits: readonly RowWait[], pending: readonly MetadataLock[]): number[] {
  const forRows = waits.filter(({ blocking }) => blocking === lock.connection).map(({ waiting }) => waiting);
  const forTable = pending.map(({ connection }) => connection);
  return [...new Set([...forRows, ...forTable])].toSorted((one, other) => one - other);
}
