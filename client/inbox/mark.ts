import { ClientError } from "../errors.ts";
import type { Adapter } from "../sql/adapter.ts";
import { cells } from "../sql/cells.ts";
import { type Column, equalsSql, insertedSql, instantSql, nameOf, textSql } from "../sql/columns.ts";
import { currentRow } from "../sql/current-row.ts";
import { isDuplicateKey } from "../sql/database-errors.ts";
import { quoteTable } from "../sql/names.ts";
import { join, type RawSql, type Statement, sql } from "../sql/statement.ts";
import { lacksKey } from "../sql/table-errors.ts";
import type { InboxLayout } from "./layout.ts";

/** One consumer's table. */
export interface InboxTable<Tx, Db> {
  via: Adapter<Tx, Db>;
  layout: InboxLayout;
  consumer: string;
}

export interface MessageKey {
  id: string;
  type: string | null;
  /** From the registry if it has the type, because some transports do not carry it. */
  aggregateType: string | null;
  aggregateId: string | null;
  sequence: number | null;
}

/**
 * `ours`: the message is unprocessed, and no other delivery can process it until this transaction ends; `markedAt` as
 * `readMarkTime` gives it.
 */
export type Mark = { state: "ours"; markedAt: string | null } | { state: "duplicate" } | { state: "parked" };

/**
 * Marks a message as processed, in the transaction of its effect. Race: two deliveries at once. The second waits at the
 * key for the first one's transaction; it then finds the mark, or, if the first rolled back, makes it.
 */
export async function markProcessed<Tx, Db>(table: InboxTable<Tx, Db>, tx: Tx, key: MessageKey): Promise<Mark> {
  if (!table.layout.failures) return markByRow(table, tx, key);
  return table.via.dialect === "mysql" ? markInMysql(table, tx, key) : markInPostgres(table, tx, key);
}

/**
 * When the message was marked, as text; empty where the table keeps no time, and null without a mark. Race: the
 * transaction was rolled back, the work ignored that, and another delivery made its own mark meanwhile: only the time
 * distinguishes it from ours.
 */
export async function readMarkTime<Tx, Db>(
  table: InboxTable<Tx, Db>,
  tx: Tx,
  { id }: MessageKey,
): Promise<string | null> {
  const { via, layout } = table;
  const processed = layout.failures ? sql` AND ${nameOf(layout.failures.processedAt, via.dialect)} IS NOT NULL` : sql``;
  const { rows } = await via.run(
    tx,
    sql`SELECT ${markTimeSql(table)} AS marked_at FROM ${tableOf(table)}
        WHERE ${isMessage(table, id)}${processed}${currentRow(via.dialect)}`,
  );
  if (rows.length > 1) throw severalRows(table);
  return timeIn(rows);
}

const timeIn = ([row]: readonly object[]): string | null => (row === undefined ? null : String(cells(row)[0] ?? ""));

/** To the microsecond, where the column has it, and whatever the session's time zone and style of dates. */
export function markTimeSql<Tx, Db>({ via, layout }: InboxTable<Tx, Db>): Statement {
  const { processedAt } = layout.columns;
  if (!processedAt) return sql`''`;
  const name = nameOf(processedAt, via.dialect);
  if (via.dialect === "mysql") return textSql(name, "mysql");
  if (processedAt.type === "timestamptz") return sql`to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;
  if (processedAt.type === "timestamp") return sql`to_char(${name}, 'YYYY-MM-DD HH24:MI:SS.US')`;
  return textSql(name, "postgres");
}

const ours = (markedAt: string | null): Mark => ({ state: "ours", markedAt });

/** A row means processed. */
async function markByRow<Tx, Db>(table: InboxTable<Tx, Db>, tx: Tx, key: MessageKey): Promise<Mark> {
  const { via } = table;
  const insert = insertSql(table, key, { processed: true });
  if (via.dialect === "postgres") {
    const { rows } = await via.run(
      tx,
      sql`${insert} ON CONFLICT (${keyNames(table)}) DO NOTHING RETURNING ${markTimeSql(table)} AS marked_at`,
    );
    return rows.length > 0 ? ours(timeIn(rows)) : { state: "duplicate" };
  }
  try {
    await via.run(tx, insert);
  } catch (error) {
    // In MySQL the error ends the statement, not the transaction.
    if (isDuplicateKey(error) && (await readMarkTime(table, tx, key)) !== null) return { state: "duplicate" };
    throw error;
  }
  return ours(await readMarkTime(table, tx, key));
}

async function markInPostgres<Tx, Db>(table: InboxTable<Tx, Db>, tx: Tx, key: MessageKey): Promise<Mark> {
  const { via } = table;
  const { processedAt, error, parkedAt } = namesOf(table);
  const { rows } = await via.run(
    tx,
    sql`${insertSql(table, key, { processed: true })}
        ON CONFLICT (${keyNames(table)}) DO UPDATE SET ${processedAt} = excluded.${processedAt}, ${error} = DEFAULT
        WHERE ${tableOf(table)}.${processedAt} IS NULL AND ${tableOf(table)}.${parkedAt} IS NULL
        RETURNING ${markTimeSql(table)} AS marked_at`,
  );
  if (rows.length > 0) return ours(timeIn(rows));
  const state = await readState(table, tx, key);
  // Released since the statement before: the next delivery processes it.
  return { state: state === "open" ? "parked" : state };
}

/**
 * The first statement locks the row, old or new, so what the second reads stays true. A driver's count of changed rows
 * would save the second, but some drivers have none, and a count that is missing would read as a duplicate: the message
 * would be lost.
 */
async function markInMysql<Tx, Db>(table: InboxTable<Tx, Db>, tx: Tx, key: MessageKey): Promise<Mark> {
  const { via, layout } = table;
  const { messageId, processedAt, error, parkedAt } = namesOf(table);
  const insert = insertSql(table, key, { processed: false });
  await via.run(tx, sql`${insert} ON DUPLICATE KEY UPDATE ${messageId} = ${messageId}`);
  const state = await readState(table, tx, key);
  if (state !== "open") return { state };
  const now = layout.failures ? instantSql(layout.failures.processedAt, "mysql") : sql`NULL`;
  await via.run(
    tx,
    sql`UPDATE ${tableOf(table)} SET ${processedAt} = ${now}, ${error} = DEFAULT
        WHERE ${isMessage(table, key.id)} AND ${processedAt} IS NULL AND ${parkedAt} IS NULL`,
  );
  return ours(await readMarkTime(table, tx, key));
}

async function readState<Tx, Db>(
  table: InboxTable<Tx, Db>,
  tx: Tx,
  key: MessageKey,
): Promise<"duplicate" | "parked" | "open"> {
  const { via } = table;
  const { processedAt, parkedAt } = namesOf(table);
  const { rows } = await via.run(
    tx,
    sql`SELECT CASE WHEN ${processedAt} IS NOT NULL THEN 'duplicate' WHEN ${parkedAt} IS NOT NULL THEN 'parked' ELSE 'open' END AS state
        FROM ${tableOf(table)} WHERE ${isMessage(table, key.id)}${currentRow(via.dialect)}`,
  );
  const [row, ...others] = rows;
  if (!row) throw keyOfAnother(table, key);
  if (others.length > 0) throw severalRows(table);
  const state = String(cells(row)[0]);
  if (state !== "duplicate" && state !== "parked" && state !== "open")
    throw new Error(`The adapter of ${via.name} did not give the message's state.`);
  return state;
}

/** Without the key each delivery would have its own row, and its own effect. */
const severalRows = <Tx, Db>({ layout: { table, columns } }: InboxTable<Tx, Db>) =>
  new ClientError("unusable_table", lacksKey({ table, columns: { ...columns } }));

/** Error that stops the delivery: processing it or counting its failure would affect the other message. */
export function keyOfAnother<Tx, Db>({ layout: { table, columns } }: InboxTable<Tx, Db>, { id }: MessageKey) {
  const { name } = columns.messageId;
  return new ClientError(
    "invalid_input",
    `${table} treats the id ${JSON.stringify(id)} as equal to another message's. Give ${name} and the consumer's column a binary collation: utf8mb4_0900_bin, or utf8mb4_nopad_bin in MariaDB.`,
  );
}

/** `processed: false` leaves the time of processing empty. */
export function insertSql<Tx, Db>(
  { via: { dialect }, layout, consumer }: InboxTable<Tx, Db>,
  { id, type, ...numbered }: MessageKey,
  { processed }: { processed: boolean },
): Statement {
  const { columns } = layout;
  const values: [Column, Statement][] = [];
  const add = (column: Column | undefined, text: string | null) => {
    if (column && text !== null) values.push([column, insertedSql(text, column, { dialect, table: layout.table })]);
  };
  add(columns.messageId, id);
  add(columns.consumer, consumer);
  add(columns.eventType, type);
  add(columns.aggregateType, numbered.aggregateType);
  add(columns.aggregateId, numbered.aggregateId);
  add(columns.sequence, numbered.sequence === null ? null : String(numbered.sequence));
  // A column of the team's own may have no default.
  if (layout.failures) values.push([layout.failures.attempts, sql`0`]);
  if (columns.receivedAt) values.push([columns.receivedAt, instantSql(columns.receivedAt, dialect)]);
  if (columns.processedAt && processed) values.push([columns.processedAt, instantSql(columns.processedAt, dialect)]);
  const names = values.map(([column]) => sql`${nameOf(column, dialect)}`);
  const texts = values.map(([, value]) => value);
  return sql`INSERT INTO ${quoteTable(layout.table, dialect)} (${join(names, ", ")}) VALUES (${join(texts, ", ")})`;
}

export const tableOf = <Tx, Db>({ via, layout }: InboxTable<Tx, Db>): RawSql => quoteTable(layout.table, via.dialect);

export function keyNames<Tx, Db>({ via, layout: { columns } }: InboxTable<Tx, Db>): Statement {
  const keys = [columns.consumer, columns.messageId].filter((column) => column !== undefined);
  return join(
    keys.map((column) => sql`${nameOf(column, via.dialect)}`),
    ", ",
  );
}

export function isMessage<Tx, Db>(table: InboxTable<Tx, Db>, id: string): Statement {
  const { via, layout } = table;
  return sql`${isConsumer(table)}${equalsSql(layout.columns.messageId, id, via.dialect)}`;
}

/** The condition on the consumer with its AND; nothing where the table is one consumer's. */
export function isConsumer<Tx, Db>({ via, layout, consumer }: InboxTable<Tx, Db>): Statement {
  const { consumer: column } = layout.columns;
  return column ? sql`${equalsSql(column, consumer, via.dialect)} AND ` : sql``;
}

/** Names of the columns in which failures are counted; only for layouts that have them. */
export function namesOf<Tx, Db>({ via, layout }: InboxTable<Tx, Db>) {
  if (!layout.failures) throw new Error("this layout counts no failures");
  const { processedAt, attempts, error, parkedAt } = layout.failures;
  return {
    messageId: nameOf(layout.columns.messageId, via.dialect),
    processedAt: nameOf(processedAt, via.dialect),
    attempts: nameOf(attempts, via.dialect),
    error: nameOf(error, via.dialect),
    parkedAt: nameOf(parkedAt, via.dialect),
  };
}
