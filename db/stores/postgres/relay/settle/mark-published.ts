import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import {
  keyMatch,
  keyParameters,
  notPublishedPredicate,
  nowValue,
  quoteIdentifier,
  quoteLiteral,
  quoteTable,
} from "#db/stores/postgres/tables/mapping-sql.ts";
import { messageId } from "../relay-context.ts";

/**
 * Marks messages as published with one UPDATE (or DELETE).
 * Index: the primary key. The CASE keeps the planner from using the partial index of unsent rows, which looks cheaper
 * on a table that ANALYZE saw empty. The index scan visits and locks the rows in key order.
 * Race: another program that published the same row first; its row is not changed and is missing from the result.
 */
function markStatement(mapping: OutboxMapping, mark: "column" | "delete"): string {
  const { lifecycle, columns } = mapping;
  const table = `${quoteTable(mapping.table)} o`;
  const stillUnsent = `CASE WHEN ${notPublishedPredicate(mapping, "o")} THEN true ELSE false END`;
  const where = `WHERE ${keyMatch(mapping, "o", 1)} AND ${stillUnsent}`;
  const set = (column: { name: string }, value: string) => `${quoteIdentifier(column.name)} = ${value}`;
  const publishedAt = columns.publishedAt?.time ? [set(columns.publishedAt, nowValue(columns.publishedAt))] : [];
  if (mark === "delete") return `DELETE FROM ${table} ${where} RETURNING ${messageId(mapping)}`;
  switch (lifecycle.kind) {
    case "timestamp":
      return `UPDATE ${table} SET ${set(lifecycle.column, nowValue(lifecycle.column))} ${where}`;
    case "flag":
      return `UPDATE ${table} SET ${[set(lifecycle.column, "true"), ...publishedAt].join(", ")} ${where}`;
    case "status":
      return `UPDATE ${table} SET ${[set(lifecycle.column, statusValue(lifecycle.column.type, lifecycle.published[0])), ...publishedAt].join(", ")} ${where}`;
    case "delete":
      return `DELETE FROM ${table} ${where} RETURNING ${messageId(mapping)}`;
    case "log":
    case "rules":
    case "untold":
    case "unknown":
      throw new Error("A table without a state of its own cannot be marked.");
  }
}

/** A status word as a value of the column's own type. */
export function statusValue(type: string, word: string | undefined): string {
  if (word === undefined) throw new Error("The mapping names no word for the status to be written.");
  return `${quoteLiteral(word)}::${type}`;
}

/**
 * Marks the messages and returns the ids that were still unsent; another program had published or removed the others.
 * Throws if the database leaves a row as it is without an error: the message would be claimed and sent again and again.
 */
export async function markPublished(
  session: RelaySession,
  mapping: OutboxMapping,
  ids: readonly string[],
  mark: "column" | "delete" = "column",
): Promise<ReadonlySet<string>> {
  const keyLength = mapping.primaryKey.length;
  const keys = keyParameters(
    ids.map((id) => decodeMessageId(id, keyLength)),
    keyLength,
  ).map(textArray);
  const { rows, rowCount } = await session.query("mark-published", markStatement(mapping, mark), keys);
  if (rowCount === ids.length) return new Set(ids);
  const deletes = mark === "delete" || mapping.lifecycle.kind === "delete";
  const ours = deletes ? rows : (await session.query("mark-ours", oursStatement(mapping), keys)).rows;
  const marked = new Set(ours.map(([id]) => id ?? ""));
  const left = (await session.query("mark-left", leftStatement(mapping), keys)).rows.filter(
    ([id]) => !marked.has(id ?? ""),
  );
  if (left.length > 0) throw new Error(MARK_IGNORED);
  return marked;
}

const MARK_IGNORED =
  "the database takes the mark without an error and leaves the row as it is: a trigger, a rule or row level security keeps it";

/** Rows that still wait, and that nobody has changed: a statement after the mark sees what others have committed. */
function leftStatement(mapping: OutboxMapping): string {
  return `SELECT ${messageId(mapping)} FROM ${quoteTable(mapping.table)} o WHERE ${keyMatch(mapping, "o", 1)}
    AND ${notPublishedPredicate(mapping, "o")}`;
}

/** Rows that this transaction wrote. Queried only if the counts differ: returning every id costs 5 % of a drain. */
function oursStatement(mapping: OutboxMapping): string {
  return `SELECT ${messageId(mapping)} FROM ${quoteTable(mapping.table)} o WHERE ${keyMatch(mapping, "o", 1)}
    AND o.xmin = (pg_current_xact_id()::text::numeric % 4294967296)::bigint::text::xid`;
}
