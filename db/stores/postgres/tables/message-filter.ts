import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { MessageFilter } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { UNSENT_STATES } from "#domain/message-state.ts";
import { type IndexUse, recommendedIndexes } from "../plans/recommended-indexes.ts";
import { columnSql, comparisonType, encodeInstant, quoteIdentifier, quoteTable } from "./mapping-sql.ts";
import { attemptsExpression } from "./message-sql.ts";

/** Conditions with their parameters; parameters are numbered from where `Conditions` was made. */
export class Conditions {
  readonly parts: string[] = [];
  readonly values: unknown[];

  constructor(values: readonly unknown[]) {
    this.values = [...values];
  }

  /** Adds a parameter and returns its placeholder. */
  parameter(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  add(sql: string): void {
    this.parts.push(`(${sql})`);
  }

  where(): string {
    return this.parts.length === 0 ? "true" : this.parts.join(" AND ");
  }
}

function equals(conditions: Conditions, column: MappedColumn | undefined, value: string): string {
  const sql = column && fitsType(value, column.type) ? equalsSql(column, conditions.parameter(value)) : "false";
  conditions.add(sql);
  return sql;
}

/** Conditions that an index of the team's table may serve; all are among those of the filter. */
export interface Searches {
  /** Each holds for every row that matches. */
  every: string[];
  /** One of them holds for every row that matches; empty without a search. */
  either: string[];
  /** Limits of the creation time. */
  range: string[];
}

/** `column = parameter` in the column's own type, so that its index serves it; as text where a cast might fail. */
export function equalsSql(column: MappedColumn, parameter: string): string {
  return KNOWN_TYPE.test(column.type)
    ? `${columnSql(column, "t")} = ${parameter}::text::${comparisonType(column.type)}`
    : `${columnSql(column, "t")}::text = ${parameter}`;
}

/** Filters over rows `t` (with delivery `d`) that are in their table; says which of them an index may serve. */
export function addTableFilters(conditions: Conditions, ref: OutboxRef, filter: MessageFilter): Searches {
  const { columns } = ref.mapping;
  const every: string[] = [];
  for (const role of ["aggregateId", "eventType", "aggregateType"] as const) {
    const value = filter[role];
    if (value) every.push(equals(conditions, columns[role], value));
  }
  if (filter.attemptsMin) conditions.add(`${attemptsExpression(ref)} >= ${conditions.parameter(filter.attemptsMin)}`);
  if (filter.group) conditions.add(ref.storeSide ? `d.fingerprint = ${conditions.parameter(filter.group)}` : "false");
  if (filter.error) {
    const errors = [
      ref.storeSide ? "d.last_error" : null,
      columns.lastError ? columnSql(columns.lastError, "t") : null,
    ];
    const known = errors.filter((sql) => sql !== null);
    conditions.add(
      known.length === 0
        ? "false"
        : `coalesce(${known.join(", ")}) ILIKE ${conditions.parameter(`%${escapeLike(filter.error)}%`)}`,
    );
  }
  const range = addTimeRange(conditions, columns.createdAt, filter);
  return { every, range, either: filter.q ? addExactSearch(conditions, ref, filter.q) : [] };
}

function addTimeRange(conditions: Conditions, createdAt: MappedColumn | undefined, filter: MessageFilter): string[] {
  const range: string[] = [];
  for (const [bound, operator] of [
    [filter.from, ">="],
    [filter.to, "<"],
  ] as const) {
    if (!bound) continue;
    range.push(
      createdAt
        ? `${columnSql(createdAt, "t")} ${operator} ${encodeInstant(createdAt, `${conditions.parameter(bound)}::timestamptz`)}`
        : "false",
    );
  }
  for (const bound of range) conditions.add(bound);
  return range;
}

/** An id, an aggregate id or an event type, exactly: every part is an equality that its own index can serve. */
function addExactSearch(conditions: Conditions, ref: OutboxRef, q: string): string[] {
  const { columns, primaryKey } = ref.mapping;
  const parts: string[] = [];
  const key = keyOf(q, primaryKey);
  if (key)
    parts.push(primaryKey.map((column, index) => equalsSql(column, conditions.parameter(key[index]))).join(" AND "));
  if (columns.id.name !== primaryKey[0]?.name && fitsType(q, columns.id.type))
    parts.push(equalsSql(columns.id, conditions.parameter(q)));
  for (const column of [columns.aggregateId, columns.eventType]) {
    if (column && fitsType(q, column.type)) parts.push(equalsSql(column, conditions.parameter(q)));
  }
  const either = parts.length === 0 ? ["false"] : parts.map((part) => `(${part})`);
  conditions.add(either.join(" OR "));
  return either;
}

function keyOf(q: string, primaryKey: readonly MappedColumn[]): string[] | undefined {
  try {
    const values = decodeMessageId(q, primaryKey.length);
    return values.every((value, index) => fitsType(value, primaryKey[index]?.type ?? "text")) ? values : undefined;
  } catch {
    // Not the form of an id: it may still be an aggregate or a type.
    return undefined;
  }
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Types whose values `fitsType` can tell from other texts. */
const KNOWN_TYPE = /^(uuid$|bigint$|integer$|smallint$|text$|character|citext$|name$|timestamp|numeric)/;

/** Whether a text can be a value of the type at all, so that a search never fails in a cast. No text holds a zero byte. */
export function fitsType(text: string, type: string): boolean {
  if (text.includes("\0")) return false;
  if (type === "uuid") return UUID.test(text);
  if (/^(bigint|integer|smallint)$/.test(type)) return /^-?\d{1,19}$/.test(text) && inRange(text, type);
  if (type.startsWith("timestamp")) return isInstant(text);
  return /^numeric/.test(type) ? /^-?\d{1,500}(\.\d{1,500})?$/.test(text) : true;
}

function isInstant(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z?$/.exec(text);
  const day = match?.[1];
  return day !== undefined && !day.startsWith("0000") && new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day;
}

function inRange(text: string, type: string): boolean {
  const limit = type === "bigint" ? 2n ** 63n : type === "integer" ? 2n ** 31n : 2n ** 15n;
  const value = BigInt(text);
  return value < limit && value >= -limit;
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

/** Filters over rows `m` of dead_letter or archive. */
export function addMovedFilters(conditions: Conditions, filter: MessageFilter): void {
  if (filter.eventType) conditions.add(`m.event_type = ${conditions.parameter(filter.eventType)}`);
  if (filter.aggregateType) conditions.add(`m.aggregate_type = ${conditions.parameter(filter.aggregateType)}`);
  if (filter.aggregateId) conditions.add(`m.aggregate_id = ${conditions.parameter(filter.aggregateId)}`);
  if (filter.attemptsMin) conditions.add(`m.attempts >= ${conditions.parameter(filter.attemptsMin)}`);
  if (filter.group) conditions.add(`m.fingerprint = ${conditions.parameter(filter.group)}`);
  if (filter.error) conditions.add(`m.last_error ILIKE ${conditions.parameter(`%${escapeLike(filter.error)}%`)}`);
  if (filter.from) conditions.add(`m.created_at >= ${conditions.parameter(filter.from)}::timestamptz`);
  if (filter.to) conditions.add(`m.created_at < ${conditions.parameter(filter.to)}::timestamptz`);
  if (filter.q) {
    const q = conditions.parameter(filter.q);
    conditions.add(`m.message_id = ${q} OR m.aggregate_id = ${q} OR m.event_type = ${q}`);
  }
}

/** The index that would serve a filter, as SQL to run; for a search, one each for what it looks in. */
export function indexFor(ref: OutboxRef, filter: MessageFilter): string {
  const { columns, table } = ref.mapping;
  const concurrently = ref.partitioned ? "" : "CONCURRENTLY ";
  const created = columns.createdAt ? [`${quoteIdentifier(columns.createdAt.name)} DESC`] : [];
  const create = (column: MappedColumn) =>
    `CREATE INDEX ${concurrently}ON ${quoteTable(table)} (${[...new Set([quoteIdentifier(column.name), ...created])].join(", ")});`;
  const by = [
    filter.aggregateId ? columns.aggregateId : undefined,
    filter.eventType ? columns.eventType : undefined,
    filter.aggregateType ? columns.aggregateType : undefined,
  ].find((column) => column !== undefined);
  if (by) return create(by);
  if (!filter.q) return indexOfState(ref, filter.state);
  const searched = [columns.aggregateId, columns.eventType].filter((column) => column !== undefined);
  return searched.map(create).join(" ");
}

function indexOfState(ref: OutboxRef, state: MessageFilter["state"]): string {
  const uses: readonly IndexUse[] =
    state === "dead"
      ? ["dead"]
      : state === "failed"
        ? ["failed", "waiting"]
        : state === "unsent" || UNSENT_STATES.some((unsent) => unsent === state)
          ? ["waiting"]
          : [];
  const indexes = recommendedIndexes(ref.mapping, ref.partitioned ?? false);
  const found = [...uses, "history" as const].map((use) => indexes.find((index) => index.use === use));
  return found.find((index) => index !== undefined)?.sql ?? "";
}
