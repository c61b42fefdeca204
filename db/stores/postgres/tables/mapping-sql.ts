/**
 * The state predicates, column-values.ts and message-key.ts as text, for statements kept as text: the relay's, which
 * are prepared by name, and those of the catalog. Adds no logic.
 */

import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping, TableName } from "#db/stores/port/mapping.ts";
import * as predicates from "#db/stores/shared/states/state-predicates.ts";
import { dialect, toText } from "../connection/dialect.ts";
import * as values from "./column-values.ts";
import * as key from "./message-key.ts";
import { outboxTable, qualifiedName } from "./outbox-table.ts";

export function quoteIdentifier(name: string): string {
  return dialect.escapeName(name);
}

export function quoteLiteral(text: string): string {
  return dialect.escapeString(text);
}

export function quoteTable(table: TableName): string {
  return qualifiedName(table);
}

/** `"alias"."column"`, or `"column"` without an alias. */
export function columnSql(column: Pick<MappedColumn, "name">, alias = ""): string {
  const name = quoteIdentifier(column.name);
  return alias === "" ? name : `${quoteIdentifier(alias)}.${name}`;
}

const rowNamed = (alias: string): values.Row => ({ column: (column) => sql.raw(columnSql(column, alias)) });

/** The column as timestamptz, from any encoding. */
export function instantExpression(column: MappedColumn, alias = ""): string {
  return toText(values.instantOf(rowNamed(alias), column));
}

/** A timestamptz expression in the column's own encoding, for writing and for comparisons that use an index. */
export function encodeInstant(column: MappedColumn, instant: string): string {
  return toText(values.encodeInstant(column, sql.raw(instant)));
}

const nowValues = new WeakMap<MappedColumn, string>();

/** The current time as the column stores it. Cached: every settle uses it. */
export function nowValue(column: MappedColumn): string {
  const value = nowValues.get(column) ?? toText(values.currentValue(column));
  nowValues.set(column, value);
  return value;
}

/** A timestamptz expression as RFC 3339 text in UTC with microseconds; null stays null. */
export function instantText(expression: string): string {
  return toText(values.instantText(sql.raw(expression)));
}

type Part = (outbox: ReturnType<typeof outboxTable>) => SQL;

const texts = new WeakMap<OutboxMapping, Map<string, string>>();

/** Cached per mapping and alias: the relay builds its statements from these at every claim and settle. */
function textOf(name: string, part: Part): (mapping: OutboxMapping, alias: string) => string {
  return (mapping, alias) => {
    const known = texts.get(mapping) ?? new Map<string, string>();
    texts.set(mapping, known);
    const text = known.get(`${name} ${alias}`) ?? toText(part(outboxTable(mapping, alias)));
    known.set(`${name} ${alias}`, text);
    return text;
  };
}

/**
 * To the relay: of a table whose progress is kept in the log, it reads only rows that the log or its own records name.
 * They are unsent unless a column says otherwise.
 */
const toRelay =
  (part: Part): Part =>
  (outbox) => {
    const { lifecycle } = outbox.mapping;
    if (lifecycle.kind !== "log") return part(outbox);
    return part({ ...outbox, mapping: { ...outbox.mapping, lifecycle: lifecycle.native ?? { kind: "delete" } } });
  };

export const notPublishedPredicate = textOf("notPublished", toRelay(predicates.notPublished));
export const unsentPredicate = textOf("unsent", toRelay(predicates.unsent));
export const messageIdExpression = textOf("messageId", key.messageId);
export const aggregateKeyExpression = textOf("aggregateKey", key.aggregateKey);

/**
 * SQL: the condition as a filter of the rows that the keys find. As a plain condition, the planner would use an index
 * with this predicate, which looks cheaper on a table that ANALYZE saw empty, and compare each waiting row with each
 * key: some 4,000 keys against 20,000 rows took longer than the statement's time limit.
 */
export function besideKeys(condition: string): string {
  return `CASE WHEN ${condition} THEN true ELSE false END`;
}

/** `keyMatch` with placeholders: `firstParameter` is the number of the first array of `keyParameters`. */
export function keyMatch(mapping: OutboxMapping, alias: string, firstParameter: number): string {
  return textOf(`keyMatch ${firstParameter}`, (outbox) =>
    key.keyMatch(
      outbox,
      mapping.primaryKey.map((_, index) => sql.raw(`$${firstParameter + index}`)),
    ),
  )(mapping, alias);
}

/** `keyMatch` of a key of one column: $1 is a text of values without commas, with a comma between each two. */
export const keyInList = textOf("keyInList", (outbox) => key.keyMatch(outbox, [sql.raw("string_to_array($1, ',')")]));
