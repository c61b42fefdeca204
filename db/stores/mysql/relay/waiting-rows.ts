import { toText } from "../connection/dialect.ts";
import { columnSql, quoteIdentifier, quoteTable, unsentPredicate } from "../tables/mapping-sql.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { statusIn } from "../tables/state-predicates.ts";
import { orderSql } from "./order-sql.ts";
import type { StatementContext } from "./relay-context.ts";

export interface OrderedRead {
  /** Select list over the row `o`. */
  select: readonly string[];
  /** Conditions over the row `o`, besides that it is unsent. */
  where: readonly string[];
  limit: number;
  offset?: number;
  backwards?: boolean;
}

/**
 * A SELECT of unsent rows in order, from the index that `facts.orderIndex` names. An index that begins with the status
 * has the rows of one word in order; those of several are read word by word, without their payloads, and merged.
 */
export function unsentRows(context: StatementContext, read: OrderedRead): string {
  const words = wordsApart(context);
  return words.length < 2 ? readDirectly(context, read) : readByWord(context, read, words);
}

function readDirectly(context: StatementContext, { select, where, limit, offset = 0, backwards }: OrderedRead): string {
  const { mapping } = context;
  const order = ordered(orderSql(mapping).columns, backwards);
  return `SELECT ${select.join(", ")} FROM ${quoteTable(mapping.table)} o${forced(context.facts.orderIndex?.name)}
    WHERE ${[unsentPredicate(mapping, "o"), ...where].join(" AND ")} ORDER BY ${order} LIMIT ${offset}, ${limit}`;
}

function readByWord(context: StatementContext, read: OrderedRead, words: readonly string[]): string {
  const { mapping } = context;
  const { select, where, limit, offset = 0, backwards } = read;
  const keys = mapping.primaryKey.map((column) => columnSql(column, "o"));
  const order = orderSql(mapping).columns;
  const chosen = [
    ...keys.map((sql, index) => `${sql} AS q${index}`),
    ...order.map((sql, index) => `${sql} AS k${index}`),
  ];
  const branches = words.map(
    (word) =>
      `(${readDirectly(context, { select: chosen, where: [word, ...where], limit: limit + offset, backwards: backwards === true })})`,
  );
  const merged = ordered(
    order.map((_, index) => `k${index}`),
    backwards,
  );
  // UNION, not UNION ALL: words that differ in case only may be one to the column.
  return `SELECT ${select.join(", ")} FROM (${branches.join(" UNION ")} ORDER BY ${merged} LIMIT ${offset}, ${limit}) p
    STRAIGHT_JOIN ${quoteTable(mapping.table)} o${forced(context.facts.keyIndex)} ON ${keys.map((sql, index) => `${sql} = p.q${index}`).join(" AND ")}
    ORDER BY ${ordered(order, backwards)}`;
}

/** Conditions, one for each word of an unsent message, if the index has to be read word by word. */
function wordsApart({ mapping, facts }: StatementContext): string[] {
  const { lifecycle } = mapping;
  if (lifecycle.kind !== "status" || facts.orderIndex?.byState !== true) return [];
  const words = [...new Set([...lifecycle.pending, ...lifecycle.inFlight, ...lifecycle.failed])];
  return words.map((word) => toText(statusIn(outboxTable(mapping, "o"), lifecycle.column, [word])));
}

/** The index that a statement must use, as a clause; nothing without one. */
export function forced(index: string | null | undefined): string {
  return index == null ? "" : ` FORCE INDEX (${quoteIdentifier(index)})`;
}

function ordered(columns: readonly string[], backwards = false): string {
  return columns.map((sql) => `${sql} ${backwards ? "DESC" : "ASC"}`).join(", ");
}
