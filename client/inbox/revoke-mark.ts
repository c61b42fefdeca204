import { type Column, nameOf, valueSql } from "../sql/columns.ts";
import { sql } from "../sql/statement.ts";
import { type InboxTable, isMessage, type MessageKey, markTimeSql, tableOf } from "./mark.ts";

const TEXT: Column = { name: "", type: "text" };
/** With fewer digits another delivery could have made its mark at the same time. */
const MICROSECONDS = /\.\d{6}$/;

/**
 * Takes back the mark of a work that has failed, where it was committed all the same: by a COMMIT of the work, and in
 * MySQL by a statement such as CREATE TABLE or START TRANSACTION, which commits what came before. `markedAt`
 * distinguishes it from the mark of another delivery. The read is without a lock and sees what is committed, so it does
 * not wait for a connection that was lost.
 */
export async function revokeMark<Tx, Db>(
  table: InboxTable<Tx, Db>,
  db: Db,
  { key, markedAt }: { key: MessageKey; markedAt: string },
): Promise<void> {
  const { via, layout } = table;
  const { processedAt } = layout.columns;
  if (!processedAt || !MICROSECONDS.test(markedAt)) return;
  const name = nameOf(processedAt, via.dialect);
  const isOurs = sql`${isMessage(table, key.id)} AND ${markTimeSql(table)} = ${valueSql(markedAt, TEXT, via.dialect)}`;
  // A database that does not answer is the error of the work, or of the count that follows.
  const found = await via.run(db, sql`SELECT 1 AS found FROM ${tableOf(table)} WHERE ${isOurs}`).catch(() => null);
  if (found === null || found.rows.length === 0) return;
  const revocation = layout.failures
    ? sql`UPDATE ${tableOf(table)} SET ${name} = NULL WHERE ${isOurs}`
    : sql`DELETE FROM ${tableOf(table)} WHERE ${isOurs}`;
  await via.run(db, revocation);
}
