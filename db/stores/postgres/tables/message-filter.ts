import { eq, gte, ilike, is, SQL, sql } from "drizzle-orm";
import type { IndexUse } from "#db/stores/port/index-advice.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { MessageFilter } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { fitsType, KNOWN_TYPE } from "#db/stores/postgres/tables/fits-type.ts";
import type { MovedPlace } from "#db/stores/shared/read/found-message.ts";
import { all, any, grouped, NEVER } from "#db/stores/shared/states/conditions.ts";
import { escapeLike } from "#db/stores/shared/tables/escape-like.ts";
import { UNSENT_STATES } from "#domain/message/message-state.ts";
import { createIndex, recommendedIndexes } from "../plans/recommended-indexes.ts";
import { comparable, encodeInstant, type Row } from "./column-values.ts";
import { movedTables } from "./message-columns.ts";
import { keysOf } from "./message-key.ts";
import { outboxTable } from "./outbox-table.ts";
import { attemptsOf, d } from "./states/message-state.ts";
import { headersTraceIndex, movedTraceFilter, traceFilter } from "./trace-filter.ts";

/** Conditions of a filter that an index of the team's table may serve. */
export interface Searches {
  /** Each holds for every matching row. */
  every: SQL[];
  /** At least one holds for every matching row; empty without a search. */
  either: SQL[];
  /** Some entries of the state are not enough for `either`: it is refused unless an index serves it. */
  strict?: boolean;
  /** Limits of the creation time. */
  range: SQL[];
}

export interface TableFilters {
  where: SQL;
  searches: Searches;
}

/** `column = text` in the column's own type, so that its index serves it; compared as text if a cast might fail. */
export function equals(row: Row, column: MappedColumn, text: string): SQL {
  return KNOWN_TYPE.test(column.type)
    ? sql`${row.column(column)} = ${comparable(column, text)}`
    : sql`${row.column(column)}::text = ${text}`;
}

/** The same; NEVER if no value of the column can equal the text, or without a column. */
export function equalsIfFits(row: Row, column: MappedColumn | null | undefined, text: string): SQL {
  return column && fitsType(text, column.type) ? equals(row, column, text) : NEVER;
}

/** Filters over rows `t` in their table (with delivery `d`), and which of them an index may serve. */
export function tableFilters(ref: OutboxRef, filter: MessageFilter): TableFilters {
  const { columns } = ref.mapping;
  const outbox = outboxTable(ref.mapping);
  const every = (["aggregateId", "eventType", "aggregateType"] as const).flatMap((role) => {
    const value = filter[role];
    return value ? [equalsIfFits(outbox, columns[role], value)] : [];
  });
  const attempts = filter.attemptsMin ? [sql`${attemptsOf(ref)} >= ${filter.attemptsMin}`] : [];
  const group = filter.group ? [ref.storeSide ? sql`${d.fingerprint} = ${filter.group}` : NEVER] : [];
  const code = filter.errorCode ? [ref.storeSide ? sql`${d.lastErrorCode} = ${filter.errorCode}` : NEVER] : [];
  const error = filter.error ? [errorContains(ref, filter.error)] : [];
  const range = timeRange(ref, filter);
  const either = filter.q ? exactSearch(ref, filter.q) : [];
  const trace = filter.traceId ? traceFilter(ref.mapping, outbox, filter.traceId) : null;
  const where = all(
    ...every,
    ...attempts,
    ...group,
    ...code,
    ...error,
    ...range,
    ...(trace ? [trace.where] : []),
    ...(either.length > 0 ? [any(...either)] : []),
  );
  return { where, searches: { every, range, either: trace?.either ?? either, strict: trace !== null } };
}

function errorContains(ref: OutboxRef, text: string): SQL {
  const { lastError } = ref.mapping.columns;
  const errors = [
    ...(ref.storeSide ? [sql`${d.lastError}`] : []),
    ...(lastError ? [outboxTable(ref.mapping).column(lastError)] : []),
  ];
  if (errors.length === 0) return NEVER;
  return sql`coalesce(${sql.join(errors, sql`, `)}) ILIKE ${`%${escapeLike(text)}%`}`;
}

function timeRange({ mapping }: OutboxRef, { from, to }: MessageFilter): SQL[] {
  const { createdAt } = mapping.columns;
  const limit = (bound: string, operator: ">=" | "<") =>
    createdAt
      ? sql`${outboxTable(mapping).column(createdAt)} ${sql.raw(operator)} ${encodeInstant(createdAt, sql`${bound}::timestamptz`)}`
      : NEVER;
  return [...(from ? [limit(from, ">=")] : []), ...(to ? [limit(to, "<")] : [])];
}

/** Exact match on id, aggregate id or event type; each part is an equality that its own index can serve. */
function exactSearch({ mapping }: OutboxRef, q: string): SQL[] {
  const { columns, primaryKey } = mapping;
  const outbox = outboxTable(mapping);
  const [key] = keysOf({ primaryKey }, [q]);
  const byKey = key ? [all(...primaryKey.map((column, index) => equals(outbox, column, key[index] ?? "")))] : [];
  const byId = columns.id.name === primaryKey[0]?.name ? [] : [columns.id];
  const byColumn = [...byId, columns.aggregateId, columns.eventType].filter((column) => column !== undefined);
  const parts = [...byKey, ...byColumn.map((column) => equalsIfFits(outbox, column, q))];
  const either = parts.filter((part) => part !== NEVER).map(grouped);
  return either.length === 0 ? [NEVER] : either;
}

/** Filters over rows `m` of dead_letter or archive. */
export function movedFilters(ref: OutboxRef, place: MovedPlace, filter: MessageFilter): SQL {
  const m = movedTables[place];
  const { eventType, aggregateType, aggregateId, attemptsMin, group, errorCode, error, from, to, traceId, q } = filter;
  const conditions = [
    eventType && eq(m.eventType, eventType),
    aggregateType && eq(m.aggregateType, aggregateType),
    aggregateId && eq(m.aggregateId, aggregateId),
    attemptsMin && gte(m.attempts, attemptsMin),
    group && eq(m.fingerprint, group),
    errorCode && eq(m.lastErrorCode, errorCode),
    error && ilike(m.lastError, `%${escapeLike(error)}%`),
    from && sql`${m.createdAt} >= ${from}::timestamptz`,
    to && sql`${m.createdAt} < ${to}::timestamptz`,
    traceId && movedTraceFilter(ref, place, traceId),
    q && any(eq(m.messageId, q), eq(m.aggregateId, q), eq(m.eventType, q)),
  ];
  return all(...conditions.filter((condition) => is(condition, SQL)));
}

/** CREATE INDEX statement that would serve a filter; for a search, one per searched column. */
export function indexFor(ref: OutboxRef, filter: MessageFilter): string {
  const { columns } = ref.mapping;
  const { createdAt } = columns;
  const create = (column: MappedColumn) =>
    createIndex(ref.mapping, ref.partitioned ?? false, {
      columns: [
        { column, descending: column.name === createdAt?.name },
        ...(createdAt && createdAt.name !== column.name ? [{ column: createdAt, descending: true }] : []),
      ],
    });
  const by = [
    filter.traceId ? columns.traceId : undefined,
    filter.aggregateId ? columns.aggregateId : undefined,
    filter.eventType ? columns.eventType : undefined,
    filter.aggregateType ? columns.aggregateType : undefined,
  ].find((column) => column !== undefined);
  if (by) return create(by);
  const byHeaders = filter.traceId ? headersTraceIndex(ref.mapping, ref.partitioned ?? false) : null;
  if (byHeaders) return byHeaders;
  if (!filter.q) return indexOfState(ref, filter.state);
  const searched = [columns.aggregateId, columns.eventType].filter((column) => column !== undefined);
  return searched.map(create).join(" ");
}

function indexOfState(ref: OutboxRef, state: MessageFilter["state"]): string {
  const uses: readonly IndexUse[] =
    state === "dead" || state === "unknown"
      ? [state]
      : state === "failing"
        ? ["dead", "failed", "waiting"]
        : state === "failed"
          ? ["failed", "waiting"]
          : state === "unsent" || UNSENT_STATES.some((unsent) => unsent === state)
            ? ["waiting"]
            : [];
  const indexes = recommendedIndexes(ref.mapping, ref.partitioned ?? false);
  const found = [...uses, "history" as const].map((use) => indexes.find((index) => index.use === use));
  return found.find((index) => index !== undefined)?.sql ?? "";
}
