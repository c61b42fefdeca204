import type { ListedRows } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { toText } from "../connection/dialect.ts";
import { columnSql, forced, quoteTable, unsentPredicate } from "../tables/mapping-sql.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { statusIn } from "../tables/states/status-words.ts";
import { fromPosition, upToPosition } from "./claim/positions.ts";
import { hasId } from "./literals.ts";
import { orderSql } from "./order-sql.ts";
import type { StatementContext } from "./relay-context.ts";

export interface OrderedRead {
  /** Select list over the row `o`. */
  select: readonly string[];
  /** From this position on, itself included; null for the start of the table. */
  after: OrderKey | null;
  /** Conditions over the row `o`, besides that it is unsent. */
  where: readonly string[];
  limit: number;
  offset?: number;
  backwards?: boolean;
  /** Only these, found by the key's index. */
  among?: ListedRows | undefined;
}

/**
 * A SELECT of unsent rows in order, from the index that `facts.orderIndex` names. An index that begins with the status
 * has the rows of one word in order; those of several are read word by word, without their payloads, and merged.
 */
export function unsentRows(context: StatementContext, read: OrderedRead): string {
  if (read.among) return readDirectly(context, read);
  const words = wordsApart(context);
  return words.length < 2 ? readDirectly(context, read) : readByWord(context, read, words);
}

function readDirectly(context: StatementContext, read: OrderedRead): string {
  const { mapping } = context;
  const { select, after, where, limit, offset = 0, backwards, among } = read;
  const listed = among ? [hasId(mapping, among.ids), ...upToPosition(context, among.until)] : [];
  const conditions = [...listed, unsentPredicate(mapping, "o"), ...fromPosition(context, after), ...where];
  const index = among ? context.facts.keyIndex : indexFor(context, after);
  return `SELECT ${select.join(", ")} FROM ${quoteTable(mapping.table)} o${forced(index)}
    WHERE ${conditions.join(" AND ")} ORDER BY ${ordered(orderSql(mapping).columns, backwards)} LIMIT ${offset}, ${limit}`;
}

function indexFor({ facts }: StatementContext, after: OrderKey | null): string | null {
  const { orderIndex, stateIndex } = facts;
  const fromStart = after === null && orderIndex?.byState !== true;
  return (fromStart ? stateIndex : null) ?? orderIndex?.name ?? null;
}

function readByWord(context: StatementContext, read: OrderedRead, words: readonly string[]): string {
  const { mapping, facts } = context;
  const { select, where, limit, offset = 0, backwards } = read;
  const keys = mapping.primaryKey.map((column) => columnSql(column, "o"));
  const order = orderSql(mapping).columns;
  const places = order.map((_, index) => `k${index}`);
  const chosen = [
    ...keys.map((sql, index) => `${sql} AS q${index}`),
    ...order.map((sql, index) => `${sql} AS ${places[index]}`),
  ];
  const ofWord = (word: string) => ({
    ...read,
    select: chosen,
    where: [word, ...where],
    limit: limit + offset,
    offset: 0,
  });
  const branches = words.map((word) => `(${readDirectly(context, ofWord(word))})`);
  // UNION, not UNION ALL: the column may compare words as equal that differ only in case.
  const merged = `${branches.join(" UNION ")} ORDER BY ${ordered(places, backwards)} LIMIT ${offset}, ${limit}`;
  const sameKey = keys.map((sql, index) => `${sql} = p.q${index}`).join(" AND ");
  return `SELECT ${select.join(", ")} FROM (${merged}) p
    STRAIGHT_JOIN ${quoteTable(mapping.table)} o${forced(facts.keyIndex)} ON ${sameKey} ORDER BY ${ordered(order, backwards)}`;
}

/** Conditions, one for each word of an unsent message, if the index has to be read word by word. */
function wordsApart({ mapping, facts }: StatementContext): string[] {
  const { lifecycle } = mapping;
  if (lifecycle.kind !== "status" || facts.orderIndex?.byState !== true) return [];
  const words = [...new Set([...lifecycle.pending, ...lifecycle.inFlight, ...lifecycle.failed])];
  return words.map((word) => toText(statusIn(outboxTable(mapping, "o"), lifecycle.column, [word])));
}

function ordered(columns: readonly string[], backwards = false): string {
  return columns.map((sql) => `${sql} ${backwards ? "DESC" : "ASC"}`).join(", ");
}
