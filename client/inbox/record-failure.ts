import { cells } from "../sql/cells.ts";
import { instantSql, textSql } from "../sql/columns.ts";
import { isTooLong, lacksCharacter } from "../sql/database-errors.ts";
import { type RawSql, type Statement, sql } from "../sql/statement.ts";
import { errorText } from "./error-text.ts";
import { type InboxTable, insertSql, isMessage, keyNames, type MessageKey, namesOf, tableOf } from "./mark.ts";

export interface Failure {
  /** Failed deliveries of this message so far, this one included. */
  attempts: number;
  parked: boolean;
}

/** Characters of the error's text, one after the other: a column of the team's own may take few. */
const LENGTHS = [2000, 250, 100, 20] as const;

/**
 * Counts a failure in a new transaction, because the work's transaction is gone; the `maxAttempts`-th parks the
 * message. Null if the message has been processed meanwhile, or the layout counts no failures.
 */
export async function recordFailure<Tx, Db>(
  table: InboxTable<Tx, Db>,
  db: Db,
  { key, error, maxAttempts }: { key: MessageKey; error: unknown; maxAttempts: number },
): Promise<Failure | null> {
  if (!table.layout.failures) return null;
  let length = 0;
  let isPlain = false;
  for (;;) {
    const text = errorText(error, LENGTHS[length]);
    try {
      return await countFailure(table, db, key, { text: isPlain ? plain(text) : text, maxAttempts });
    } catch (refused) {
      if (lacksCharacter(refused) && !isPlain) isPlain = true;
      else if (isTooLong(refused) && length + 1 < LENGTHS.length) length += 1;
      else throw refused;
    }
  }
}

const plain = (text: string) => text.replaceAll(/[^\t\n\r\x20-\x7e]/gu, "?");

async function countFailure<Tx, Db>(
  table: InboxTable<Tx, Db>,
  db: Db,
  key: MessageKey,
  count: { text: string; maxAttempts: number },
): Promise<Failure | null> {
  const { via } = table;
  const names = namesOf(table);
  return via.transaction(db, async (tx) => {
    await via.run(tx, via.dialect === "mysql" ? inMysql(table, key) : inPostgres(table, key));
    await via.run(tx, countSql(table, key, count));
    const { rows } = await via.run(
      tx,
      sql`SELECT ${textSql(names.attempts, via.dialect)} AS attempts
          FROM ${tableOf(table)} WHERE ${isMessage(table, key.id)} AND ${names.processedAt} IS NULL`,
    );
    const [row] = rows;
    if (!row) return null;
    const attempts = Number(cells(row)[0]);
    return { attempts, parked: attempts >= count.maxAttempts };
  });
}

function inPostgres<Tx, Db>(table: InboxTable<Tx, Db>, key: MessageKey): Statement {
  return sql`${insertSql(table, key, { processed: false })} ON CONFLICT (${keyNames(table)}) DO NOTHING`;
}

function inMysql<Tx, Db>(table: InboxTable<Tx, Db>, key: MessageKey): Statement {
  const { messageId } = namesOf(table);
  return sql`${insertSql(table, key, { processed: false })} ON DUPLICATE KEY UPDATE ${messageId} = ${messageId}`;
}

/** In both dialects the time of parking is decided by the count before this one: MySQL assigns from left to right. */
function countSql<Tx, Db>(
  table: InboxTable<Tx, Db>,
  key: MessageKey,
  { text, maxAttempts }: { text: string; maxAttempts: number },
): Statement {
  const { attempts, error, parkedAt, processedAt }: Record<string, RawSql> = namesOf(table);
  const parked = table.layout.failures?.parkedAt;
  if (!attempts || !error || !parkedAt || !processedAt || !parked) throw new Error("this layout counts no failures");
  const shown = table.via.dialect === "mysql" ? sql`${text}` : sql`CAST(${text} AS text)`;
  const limit = table.via.dialect === "mysql" ? sql`${maxAttempts}` : sql`CAST(${maxAttempts} AS integer)`;
  // A column of the team's own may have no default.
  const next = sql`COALESCE(${attempts}, 0) + 1`;
  return sql`UPDATE ${tableOf(table)}
    SET ${parkedAt} = CASE WHEN ${next} >= ${limit} THEN ${instantSql(parked, table.via.dialect)} END,
        ${attempts} = ${next}, ${error} = ${shown}
    WHERE ${isMessage(table, key.id)} AND ${processedAt} IS NULL AND ${parkedAt} IS NULL`;
}
