import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping, TableName } from "#db/stores/port/mapping.ts";
import * as predicates from "#db/stores/shared/states/state-predicates.ts";
import { dialect, toText } from "../connection/dialect.ts";
import * as values from "./column-values.ts";
import * as key from "./message-key.ts";
import { outboxTable, qualifiedName } from "./outbox-table.ts";

/**
 * The state predicates, column-values.ts and message-key.ts as text, for statements kept as text: the relay's and those
 * of the catalog. Adds no logic.
 */

export function quoteIdentifier(name: string): string {
  return dialect.escapeName(name);
}

export function quoteLiteral(text: string): string {
  return dialect.escapeString(text);
}

export function quoteTable(table: TableName): string {
  return qualifiedName(table);
}

/** The index that a statement must use, as a clause; nothing without one. */
export function forced(index: string | null | undefined): string {
  return index == null ? "" : ` FORCE INDEX (${quoteIdentifier(index)})`;
}

/** `` `alias`.`column` ``, or `` `column` `` without an alias. */
export function columnSql(column: Pick<MappedColumn, "name">, alias = ""): string {
  const name = quoteIdentifier(column.name);
  return alias === "" ? name : `${quoteIdentifier(alias)}.${name}`;
}

const rowNamed = (alias: string): values.Row => ({ column: (column) => sql.raw(columnSql(column, alias)) });

/** The column as text in utf8mb4. */
export function columnText(column: MappedColumn, alias = ""): string {
  return toText(values.textOf(rowNamed(alias), column));
}

/** The bytes of a text expression, for comparisons that must be exact. */
export function exact(expression: string): string {
  return toText(values.exact(sql.raw(expression)));
}

/** The column as DATETIME(6) in UTC, from any encoding. */
export function instantExpression(column: MappedColumn, alias = ""): string {
  return toText(values.instantOf(rowNamed(alias), column));
}

/** A DATETIME(6) in UTC in the column's own encoding, for writing and for comparisons that use an index. */
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

/** A DATETIME in UTC as RFC 3339 text in UTC with microseconds; null stays null. */
export function instantText(expression: string): string {
  return toText(values.instantText(sql.raw(expression)));
}

/** A key column as text that compares back to the same value. */
export function keyText(column: MappedColumn, alias = ""): string {
  return toText(values.keyText(rowNamed(alias), column));
}

/** A text as a literal that compares with the column in its own type. */
export function comparable(column: Pick<MappedColumn, "type">, text: string): string {
  return toText(values.comparable(column, text));
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

/** `keyMatch` with the keys as literals; see message-key.ts. */
export function keyMatch(mapping: OutboxMapping, alias: string, keys: readonly (readonly string[])[]): string {
  return toText(key.keyMatch(outboxTable(mapping, alias), keys));
}
