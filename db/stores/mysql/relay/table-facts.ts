import { sql } from "drizzle-orm";
import type { OutboxMapping, TableName } from "#db/stores/port/mapping.ts";
import type { Session } from "../connection/session.ts";
import { orderSql } from "./order-sql.ts";

/** What the relay's statements are written for, besides the mapping. */
export interface TableFacts {
  /**
   * The index that finds unsent rows in order. Statements name it, because the optimizer, which believes that few rows
   * are unsent or that the first ones are near, sorts a whole backlog or walks over everything published.
   */
  orderIndex: OrderIndex | null;
  /**
   * An index that finds the unsent rows in no order: for reads from the start of the table, where an index by order alone
   * would walk over everything published.
   */
  stateIndex: string | null;
  /** The index of the key; statements that lock rows name it, so that they never walk over rows of producers. */
  keyIndex: string | null;
  /** An index that begins with the time of publication. */
  publishedIndex: string | null;
  /** The order column counts by itself (AUTO_INCREMENT): a writer takes its place only while it writes to the table. */
  counts: boolean;
  /** Character set of the column for errors: its text must fit. */
  errorCharset: string | null;
  /** JSON is binary in MySQL and text in MariaDB. */
  binaryJson: boolean;
  /** From the server's statistics. */
  estimatedRows: number;
}

export interface OrderIndex {
  name: string;
  /** It begins with the column that shows the state, so it gives the rows of one state in order, not those of several. */
  byState: boolean;
}

export const NO_FACTS: TableFacts = {
  orderIndex: null,
  stateIndex: null,
  keyIndex: null,
  publishedIndex: null,
  counts: false,
  errorCharset: null,
  binaryJson: false,
  estimatedRows: 0,
};

interface Index {
  name: string;
  columns: readonly string[];
  unique: boolean;
}

/** Index: those of the server's dictionary. Race: an index dropped later fails the next statement, and facts are read again. */
export async function readTableFacts(session: Session, mapping: OutboxMapping): Promise<TableFacts> {
  const { columns, lifecycle } = mapping;
  const indexes = await readIndexes(session, mapping.table);
  const columnFacts = await session.rows(
    sql`SELECT column_name, extra, character_set_name FROM information_schema.columns WHERE ${ofTable(mapping.table)}`,
  );
  const [table] = await session.rows(
    sql`SELECT table_rows FROM information_schema.tables WHERE ${ofTable(mapping.table)}`,
  );
  const factsOf = (name: string | undefined) => columnFacts.find(([column]) => column === name);
  const published = lifecycle.kind === "timestamp" ? lifecycle.column : columns.publishedAt;
  return {
    orderIndex: orderIndexOf(mapping, indexes),
    stateIndex: "column" in lifecycle ? firstBy(lifecycle.column.name, indexes) : null,
    keyIndex: keyIndexOf(mapping, indexes),
    publishedIndex: published ? firstBy(published.name, indexes) : null,
    counts: /auto_increment/i.test(factsOf(columns.order?.name)?.[1] ?? ""),
    errorCharset: factsOf(columns.lastError?.name)?.[2] ?? null,
    binaryJson: session.server.flavor === "mysql",
    estimatedRows: Number(table?.[0] ?? 0),
  };
}

function ofTable({ schema, name }: TableName) {
  return sql`table_schema = ${schema} AND table_name = ${name}
    AND CAST(table_schema AS BINARY) = ${schema} AND CAST(table_name AS BINARY) = ${name}`;
}

/** Indexes that may be named in a statement and give rows in ascending order of whole columns. */
async function readIndexes(session: Session, table: TableName): Promise<Index[]> {
  const used = sql.raw(session.server.flavor === "mysql" ? "is_visible = 'YES'" : "ignored = 'NO'");
  const rows = await session.rows(
    sql`SELECT index_name, column_name, COALESCE(collation, '') = 'A' AND sub_part IS NULL AND index_type = 'BTREE', non_unique
     FROM information_schema.statistics WHERE ${ofTable(table)} AND ${used} ORDER BY index_name, seq_in_index`,
  );
  const found = new Map<string, Index & { columns: string[]; ended: boolean }>();
  for (const [name, column, whole, nonUnique] of rows) {
    if (name == null) continue;
    const index = found.get(name) ?? { name, columns: [], unique: nonUnique === "0", ended: false };
    found.set(name, index);
    // What follows a part of a column, or an expression, is in no order of use.
    if (whole !== "1" || column == null) index.ended = true;
    if (!index.ended && column != null) index.columns.push(column);
  }
  return withKeySuffix([...found.values()]);
}

/** Every secondary index of InnoDB goes on with the primary key. */
function withKeySuffix(indexes: readonly (Index & { ended: boolean })[]): Index[] {
  const primary = indexes.find(({ name }) => name === "PRIMARY")?.columns ?? [];
  return indexes.map(({ name, columns, unique, ended }) => ({
    name,
    unique: unique && !ended,
    columns: ended || name === "PRIMARY" ? columns : [...columns, ...primary.filter((one) => !columns.includes(one))],
  }));
}

function orderIndexOf(mapping: OutboxMapping, indexes: readonly Index[]): OrderIndex | null {
  const order = orderSql(mapping).mapped.map(({ name }) => name);
  const { lifecycle } = mapping;
  const beginningWith = (wanted: readonly string[]) =>
    indexes
      .filter(({ columns }) => wanted.every((name, at) => columns[at] === name))
      .sort((left, right) => left.columns.length - right.columns.length)[0]?.name;
  const byState = "column" in lifecycle ? beginningWith([lifecycle.column.name, ...order]) : undefined;
  if (byState !== undefined) return { name: byState, byState: true };
  const byOrder = beginningWith(order);
  return byOrder === undefined ? null : { name: byOrder, byState: false };
}

/** An index that begins with the column. */
function firstBy(column: string, indexes: readonly Index[]): string | null {
  return indexes.find(({ columns }) => columns[0] === column)?.name ?? null;
}

function keyIndexOf({ primaryKey }: OutboxMapping, indexes: readonly Index[]): string | null {
  const key = primaryKey.map(({ name }) => name);
  const isKey = ({ name, columns, unique }: Index) =>
    (unique || name === "PRIMARY") && key.every((column) => columns.slice(0, key.length).includes(column));
  return (indexes.find((index) => index.name === "PRIMARY" && isKey(index)) ?? indexes.find(isKey))?.name ?? null;
}
