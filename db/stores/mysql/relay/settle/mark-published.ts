import type { MappedColumn, PendingWord } from "#db/stores/port/mapping.ts";
import { kindOf } from "../../tables/column-kinds.ts";
import {
  columnSql,
  forced,
  notPublishedPredicate,
  nowValue,
  quoteLiteral,
  quoteTable,
} from "../../tables/mapping-sql.ts";
import type { StatementContext } from "../relay-context.ts";

export type MarkContext = Pick<StatementContext, "mapping" | "mark"> & {
  facts: Pick<StatementContext["facts"], "keyIndex">;
};

/**
 * Marks rows as published with one UPDATE (or DELETE). `rows`: SQL over row `o`, by the key.
 * Index: the primary key. The CASE keeps the optimizer from the index of unsent rows; rows are visited and locked in
 * key order, and never those of producers.
 * Race: another program that published the same row first; its row is not changed and not counted.
 */
export function markStatement(context: MarkContext, rows: string): string {
  const { mapping, facts } = context;
  const { lifecycle, columns } = mapping;
  const table = `${quoteTable(mapping.table)} o${forced(facts.keyIndex)}`;
  const where = `WHERE ${rows} AND ${stillUnsent(context)}`;
  const set = (column: MappedColumn, value: string) => `${columnSql(column, "o")} = ${value}`;
  const publishedAt = columns.publishedAt?.time ? [set(columns.publishedAt, nowValue(columns.publishedAt))] : [];
  if (context.mark === "delete") return `DELETE o FROM ${table} ${where}`;
  switch (lifecycle.kind) {
    case "timestamp":
      return `UPDATE ${table} SET ${set(lifecycle.column, nowValue(lifecycle.column))} ${where}`;
    case "flag":
      return `UPDATE ${table} SET ${[set(lifecycle.column, "1"), ...publishedAt].join(", ")} ${where}`;
    case "status":
      return `UPDATE ${table} SET ${[set(lifecycle.column, statusValue(lifecycle.column, lifecycle.published[0])), ...publishedAt].join(", ")} ${where}`;
    case "delete":
      return `DELETE o FROM ${table} ${where}`;
    case "log":
    case "rules":
    case "untold":
    case "unknown":
      throw new Error("A table without a state of its own cannot be marked.");
  }
}

/** True if marking updates the row; a deleted row cannot stay unchanged. */
export function isUpdate({ mapping, mark }: Pick<MarkContext, "mapping" | "mark">): boolean {
  return mark === "column" && mapping.lifecycle.kind !== "delete";
}

/** Reported instead of an outcome, because the message would be claimed and sent again and again. */
export const MARK_IGNORED =
  "the database takes the mark without an error and leaves the row as it is: a trigger keeps it";

/** SQL over row `o`: it is not published, in a form that no index serves. */
export function stillUnsent({ mapping }: Pick<StatementContext, "mapping">): string {
  return `CASE WHEN ${notPublishedPredicate(mapping, "o")} THEN TRUE ELSE FALSE END`;
}

/** A status word, or null, as a value of the column's own type. */
export function statusValue({ type }: Pick<MappedColumn, "type">, word: PendingWord | undefined): string {
  if (word === undefined) throw new Error("The mapping names no word for the status to be written.");
  if (word === null) return "NULL";
  if (kindOf(type) !== "integer") return quoteLiteral(word);
  const number = { true: "1", false: "0" }[word.toLowerCase()] ?? word;
  return /^-?\d+$/.test(number) ? number : quoteLiteral(word);
}
