import { cells } from "../sql/cells.ts";
import { nameOf } from "../sql/columns.ts";
import { isDeadlock } from "../sql/database-errors.ts";
import { sql } from "../sql/statement.ts";
import { type InboxTable, insertSql, isMessage, keyOfAnother, type MessageKey, tableOf } from "./mark.ts";

/** `free`: no other delivery of it is in progress, and none will begin before this transaction ends. */
export type KeyTurn = "free" | "duplicate" | "in_progress";

/**
 * Locks the message without waiting for another delivery of it. Postgres: by an advisory lock of the transaction,
 * because an INSERT would wait for another of the same key. MySQL: by the row, which `receive` has made.
 */
export async function askForTurn<Tx, Db>(table: InboxTable<Tx, Db>, tx: Tx, key: MessageKey): Promise<KeyTurn> {
  const isFree = table.via.dialect === "mysql" ? isRowFree(table, tx, key) : isLockFree(table, tx, key);
  if (await isFree) return "free";
  return (await isProcessed(table, tx, key)) ? "duplicate" : "in_progress";
}

/**
 * Makes the message's row, in a separate transaction: MySQL can skip a locked row, but has no INSERT that does not
 * wait, and a search for a missing row would lock the gap in which others insert. For MySQL only.
 */
export async function receive<Tx, Db>(table: InboxTable<Tx, Db>, db: Db, key: MessageKey): Promise<void> {
  for (let attempt = 1; !(await isReceived(table, db, key)); attempt++) {
    if (attempt > MOST_ATTEMPTS) throw keyOfAnother(table, key);
    try {
      await makeRow(table, db, key);
    } catch (error) {
      if (!isDeadlock(error) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** InnoDB can end one of two inserts of the same new key as a deadlock; the other has made the row by the next look. */
const MOST_ATTEMPTS = 5;

async function isReceived<Tx, Db>(table: InboxTable<Tx, Db>, db: Db, { id }: MessageKey): Promise<boolean> {
  const { rows } = await table.via.run(db, sql`SELECT 1 AS found FROM ${tableOf(table)} WHERE ${isMessage(table, id)}`);
  return rows.length > 0;
}

async function makeRow<Tx, Db>(table: InboxTable<Tx, Db>, db: Db, key: MessageKey): Promise<void> {
  const insert = insertSql(table, key, { processed: false });
  const same = nameOf(table.layout.columns.messageId, table.via.dialect);
  await table.via.run(db, sql`${insert} ON DUPLICATE KEY UPDATE ${same} = ${same}`);
}

async function isLockFree<Tx, Db>({ via, layout, consumer }: InboxTable<Tx, Db>, tx: Tx, { id }: MessageKey) {
  const name = JSON.stringify(["outbox_client", layout.table, consumer, id]);
  const { rows } = await via.run(
    tx,
    sql`SELECT CASE WHEN pg_try_advisory_xact_lock(hashtextextended(CAST(${name} AS text), 0)) THEN 1 ELSE 0 END AS free`,
  );
  return Number(cells(rows[0] ?? {})[0]) === 1;
}

async function isRowFree<Tx, Db>(table: InboxTable<Tx, Db>, tx: Tx, { id }: MessageKey): Promise<boolean> {
  const { rows } = await table.via.run(
    tx,
    sql`SELECT 1 AS free FROM ${tableOf(table)} WHERE ${isMessage(table, id)} FOR UPDATE SKIP LOCKED`,
  );
  return rows.length > 0;
}

/** Reads committed rows without a lock: `readMarkTime` would wait in MySQL. */
async function isProcessed<Tx, Db>(table: InboxTable<Tx, Db>, tx: Tx, { id }: MessageKey): Promise<boolean> {
  const { via, layout } = table;
  const { rows } = await via.run(
    tx,
    sql`SELECT 1 AS found FROM ${tableOf(table)} WHERE ${isMessage(table, id)}${
      layout.failures ? sql` AND ${nameOf(layout.failures.processedAt, via.dialect)} IS NOT NULL` : sql``
    }`,
  );
  return rows.length > 0;
}
