import { sql } from "drizzle-orm";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { Session } from "../connection/session.ts";
import { type Index, keyIndexOf, ofTable, readIndexes } from "../tables/indexes.ts";
import { orderSql } from "./order-sql.ts";

/** What the relay's statements are written for, besides the mapping. */
export interface TableFacts {
  /**
   * The index that finds unsent rows in order. Statements name it, because the optimizer assumes that few rows are
   * unsent or that the first ones are near, and then sorts a whole backlog or walks over all published rows.
   */
  orderIndex: OrderIndex | null;
  /**
   * An index that finds the unsent rows in no order: for reads from the start of the table, where an index by order
   * alone would walk over everything published.
   */
  stateIndex: string | null;
  /** The index of the key; statements that lock rows name it, so that they never walk over rows of producers. */
  keyIndex: string | null;
  /** An index that begins with the time of publication. */
  publishedIndex: string | null;
  /** The order column is AUTO_INCREMENT: a writer takes its place only while it writes to the table. */
  counts: boolean;
  /** The database rewrites the creation time with each change of a row. */
  redated: boolean;
  /** Character set of the column for errors: its text must fit. */
  errorCharset: string | null;
  /** JSON is binary in MySQL and text in MariaDB. */
  binaryJson: boolean;
  /** From the server's statistics. */
  estimatedRows: number;
}

interface OrderIndex {
  name: string;
  /**
   * It begins with the column that shows the state, so it gives the rows of one state in order, not those of several.
   */
  byState: boolean;
}

export const NO_FACTS: TableFacts = {
  orderIndex: null,
  stateIndex: null,
  keyIndex: null,
  publishedIndex: null,
  counts: false,
  redated: false,
  errorCharset: null,
  binaryJson: false,
  estimatedRows: 0,
};

/**
 * Index: those of the server's dictionary. Race: an index dropped later fails the next statement, and facts are read
 * again.
 */
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
    redated: /on update/i.test(factsOf(columns.createdAt?.name)?.[1] ?? ""),
    errorCharset: factsOf(columns.lastError?.name)?.[2] ?? null,
    binaryJson: session.server.flavor === "mysql",
    estimatedRows: Number(table?.[0] ?? 0),
  };
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
