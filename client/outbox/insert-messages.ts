import type { Adapter, Dialect } from "../sql/adapter.ts";
import { type Column, equalsSql, instantSql, nameOf, valueSql } from "../sql/columns.ts";
import { currentRow } from "../sql/current-row.ts";
import { isDuplicateKey } from "../sql/database-errors.ts";
import { quoteTable } from "../sql/names.ts";
import { join, type Statement, sql } from "../sql/statement.ts";
import type { OutboxLayout, OutboxRole } from "./layout.ts";
import type { NewMessage } from "./new-message.ts";

export interface Added {
  /** The event's id; null where the table has no column for it. */
  id: string | null;
  /** False if a message of this id is there already: nothing was written. */
  added: boolean;
}

/** Postgres takes 65,535 parameters in a statement. */
const MOST_ROWS = 1000;
/** MySQL 5.7 takes 4 MiB in a statement, in which texts are hexadecimal. */
const MOST_BYTES = 1_000_000;

/**
 * Writes messages in their order, on the caller's transaction. One statement for up to 1,000 of 1 MB whose ids are new; one
 * each for messages with a given id, which may be there already, and for those whose id the database makes.
 */
export async function insertMessages<Tx, Db>(
  { via, tx, layout }: Target<Tx, Db>,
  messages: readonly NewMessage[],
): Promise<Added[]> {
  const added: Added[] = [];
  for (const group of groupsOf(messages)) added.push(...(await insertGroup({ via, tx, layout }, group)));
  return added;
}

interface Target<Tx, Db> {
  via: Adapter<Tx, Db>;
  tx: Tx;
  layout: OutboxLayout;
}

async function insertGroup<Tx, Db>(target: Target<Tx, Db>, group: readonly NewMessage[]): Promise<Added[]> {
  const { via, tx, layout } = target;
  const [first] = group;
  if (!first) return [];
  if (first.givenId) return [{ id: first.id, added: await insertOnce(target, first) }];
  const { rows } = await via.run(tx, insertStatement(layout, via.dialect, group));
  if (layout.columns.id?.type !== "generated") return group.map(({ id }) => ({ id, added: true }));
  const [row] = via.dialect === "mysql" ? (await via.run(tx, sql`SELECT LAST_INSERT_ID() AS id`)).rows : rows;
  return [{ id: row?.id === undefined ? null : String(row.id), added: true }];
}

/**
 * False if a message of this id is there. MySQL has no clause for one key alone, and a driver may count a row that was
 * found as one that was written: so the error of the duplicate decides, which ends the statement and not the transaction.
 */
async function insertOnce<Tx, Db>({ via, tx, layout }: Target<Tx, Db>, message: NewMessage): Promise<boolean> {
  const statement = insertStatement(layout, via.dialect, [message]);
  if (via.dialect === "postgres") return (await via.run(tx, statement)).rows.length > 0;
  try {
    await via.run(tx, statement);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error) || !(await exists({ via, tx, layout }, message.id))) throw error;
    return false;
  }
}

async function exists<Tx, Db>({ via, tx, layout }: Target<Tx, Db>, id: string | null): Promise<boolean> {
  const { id: column } = layout.columns;
  if (!column || id === null) return false;
  const table = quoteTable(layout.table, via.dialect);
  const isIt = equalsSql(column, id, via.dialect);
  const { rows } = await via.run(tx, sql`SELECT 1 AS found FROM ${table} WHERE ${isIt}${currentRow(via.dialect)}`);
  return rows.length > 0;
}

function groupsOf(messages: readonly NewMessage[]): NewMessage[][] {
  const groups: NewMessage[][] = [];
  let left = 0;
  for (const message of messages) {
    const last = groups.at(-1);
    const alone = message.givenId || message.id === null;
    const bytes = Buffer.byteLength(message.payload) + Buffer.byteLength(message.headers ?? "");
    left -= bytes;
    if (last && !alone && !last[0]?.givenId && last.length < MOST_ROWS && left >= 0) last.push(message);
    else {
      groups.push([message]);
      left = MOST_BYTES - bytes;
    }
  }
  return groups;
}

type Values = readonly [Column, Statement][];

function valuesOf({ columns, lifecycle }: OutboxLayout, dialect: Dialect, message: NewMessage): Values {
  const text = (role: OutboxRole, value: string | null): [Column, Statement][] => {
    const column = columns[role];
    return column && column.type !== "generated" ? [[column, valueSql(value, column, dialect)]] : [];
  };
  const instant = (column: Column | undefined, plusMs: number | null): [Column, Statement][] =>
    column ? [[column, plusMs === null ? sql`NULL` : instantSql(column, dialect, plusMs)]] : [];
  return [
    ...text("id", message.id),
    ...text("aggregateType", message.aggregateType),
    ...text("aggregateId", message.aggregateId),
    ...text("eventType", message.type),
    ...text("topic", message.topic),
    ...text("payload", message.payload),
    ...text("headers", message.headers),
    ...text("traceId", message.traceId),
    ...text("status", lifecycle?.pending[0] ?? null),
    ...instant(columns.createdAt, 0),
    ...instant(columns.availableAt, message.delayMs),
    ...(columns.attempts ? [[columns.attempts, sql`0`] as [Column, Statement]] : []),
  ];
}

function insertStatement(layout: OutboxLayout, dialect: Dialect, messages: readonly NewMessage[]): Statement {
  const rows = messages.map((message) => valuesOf(layout, dialect, message));
  const names = (rows[0] ?? []).map(([column]) => sql`${nameOf(column, dialect)}`);
  const values = rows.map(
    (row) =>
      sql`(${join(
        row.map(([, value]) => value),
        ", ",
      )})`,
  );
  const insert = sql`INSERT INTO ${quoteTable(layout.table, dialect)} (${join(names, ", ")}) VALUES ${join(values, ", ")}`;
  const { id } = layout.columns;
  if (!id) return insert;
  const name = nameOf(id, dialect);
  if (dialect === "mysql") return insert;
  if (messages[0]?.givenId) return sql`${insert} ON CONFLICT (${name}) DO NOTHING RETURNING 1 AS added`;
  return id.type === "generated" ? sql`${insert} RETURNING CAST(${name} AS text) AS id` : insert;
}
