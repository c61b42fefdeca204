import { eq, gte, is, SQL, sql } from "drizzle-orm";
import type { IndexUse } from "#db/stores/port/index-advice.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { MessageFilter } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { MovedPlace } from "#db/stores/shared/read/found-message.ts";
import { all, any, grouped, NEVER } from "#db/stores/shared/states/conditions.ts";
import { escapeLike } from "#db/stores/shared/tables/escape-like.ts";
import { UNSENT_STATES } from "#domain/message/message-state.ts";
import { createIndex, recommendedIndexes } from "../plans/recommended-indexes.ts";
import { isThere, type TableIndex } from "../plans/table-indexes.ts";
import { encodeInstant, instantParameter, type Row, textOf } from "./column-values.ts";
import { fitsType } from "./fits-type.ts";
import type { Piece } from "./index-pieces.ts";
import { m } from "./message-columns.ts";
import { equalsText, keysOf } from "./message-key.ts";
import { outboxTable } from "./outbox-table.ts";
import { attemptsOf, d } from "./states/message-state.ts";
import { movedTraceFilter, traceFilter, traceIndex } from "./trace-filter.ts";

/** Conditions of a filter that an index of the team's table may serve. */
export interface Searches {
  /** Every matching row meets each of them. */
  every: Piece[];
  /** Every matching row meets at least one of them; empty without a search. */
  either: Piece[];
  /** For `either`, reading some entries of the state is not enough: it is refused unless an index serves it. */
  strict?: boolean;
  /** Limits of the creation time. */
  range: Piece[];
}

export interface TableFilters {
  where: SQL;
  searches: Searches;
}

/**
 * `column = text`, exact and served by the column's index; NEVER if no value can equal the text, or without a column.
 */
export function equalsIfFits(row: Row, column: MappedColumn | null | undefined, text: string): SQL {
  return column && fitsType(text, column.type) ? equalsText(row, column, text) : NEVER;
}

/** Filters over rows `t` in their table (with delivery `d`), and which of them an index may serve. */
export function tableFilters(ref: OutboxRef, filter: MessageFilter): TableFilters {
  const { columns } = ref.mapping;
  const outbox = outboxTable(ref.mapping);
  const every = (["aggregateId", "eventType", "aggregateType"] as const).flatMap((role) => {
    const value = filter[role];
    return value ? [pieceOf(equalsIfFits(outbox, columns[role], value), columns[role])] : [];
  });
  const attempts = filter.attemptsMin ? [sql`${attemptsOf(ref)} >= ${filter.attemptsMin}`] : [];
  const group = filter.group ? [ref.storeSide ? sql`${d.fingerprint} = ${filter.group}` : NEVER] : [];
  const code = filter.errorCode ? [ref.storeSide ? sql`${d.lastErrorCode} = ${filter.errorCode}` : NEVER] : [];
  const error = filter.error ? [errorContains(ref, filter.error)] : [];
  const range = timeRange(ref, filter);
  const either = filter.q ? exactSearch(ref, filter.q) : [];
  const trace = filter.traceId ? traceFilter(ref.mapping, outbox, filter.traceId) : [];
  const where = all(
    ...every.map((piece) => piece.where),
    ...attempts,
    ...group,
    ...code,
    ...error,
    ...range.map((piece) => piece.where),
    ...[trace, either].flatMap((pieces) =>
      pieces.length > 0 ? [any(...pieces.map((piece) => grouped(piece.where)))] : [],
    ),
  );
  return { where, searches: { every, range, either: trace.length > 0 ? trace : either, strict: trace.length > 0 } };
}

function pieceOf(where: SQL, ...columns: readonly (MappedColumn | undefined)[]): Piece {
  return { where, columns: columns.flatMap((column) => (column ? [{ name: column.name, one: true }] : [])) };
}

function errorContains(ref: OutboxRef, text: string): SQL {
  const { lastError } = ref.mapping.columns;
  const errors = [
    ...(ref.storeSide ? [sql`CONVERT(${d.lastError} USING utf8mb4)`] : []),
    ...(lastError ? [textOf(outboxTable(ref.mapping), lastError)] : []),
  ];
  return errors.length === 0 ? NEVER : contains(sql`coalesce(${sql.join(errors, sql`, `)})`, text);
}

/** True if the text contains another, in upper or lower case. Both servers have this collation. */
function contains(text: SQL, part: string): SQL {
  return sql`${text} COLLATE utf8mb4_general_ci LIKE ${`%${escapeLike(part)}%`}`;
}

function timeRange({ mapping }: OutboxRef, { from, to }: MessageFilter): Piece[] {
  const { createdAt } = mapping.columns;
  const limit = (bound: string, operator: ">=" | "<"): Piece =>
    createdAt
      ? {
          where: sql`${outboxTable(mapping).column(createdAt)} ${sql.raw(operator)} ${encodeInstant(createdAt, instantParameter(bound))}`,
          columns: [{ name: createdAt.name, one: false }],
        }
      : { where: NEVER, columns: [] };
  return [...(from ? [limit(from, ">=")] : []), ...(to ? [limit(to, "<")] : [])];
}

/** Exact match on id, aggregate id or event type; each part is an equality that its own index can serve. */
function exactSearch({ mapping }: OutboxRef, q: string): Piece[] {
  const { columns, primaryKey } = mapping;
  const outbox = outboxTable(mapping);
  const [key] = keysOf({ primaryKey }, [q]);
  const byKey = key
    ? [pieceOf(all(...primaryKey.map((column, index) => equalsText(outbox, column, key[index] ?? ""))), ...primaryKey)]
    : [];
  const byId = columns.id.name === primaryKey[0]?.name ? [] : [columns.id];
  const byColumn = [...byId, columns.aggregateId, columns.eventType].filter((column) => column !== undefined);
  const parts = [...byKey, ...byColumn.map((column) => pieceOf(equalsIfFits(outbox, column, q), column))];
  const either = parts.filter((part) => part.where !== NEVER);
  return either.length === 0 ? [{ where: NEVER, columns: [] }] : either;
}

/** Filters over rows `m` of dead_letter or archive. */
export function movedFilters(ref: OutboxRef, place: MovedPlace, filter: MessageFilter): SQL {
  const moved = m[place];
  const { eventType, aggregateType, aggregateId, attemptsMin, group, errorCode, error, from, to, traceId, q } = filter;
  const conditions = [
    eventType && eq(moved.eventType, eventType),
    aggregateType && eq(moved.aggregateType, aggregateType),
    aggregateId && eq(moved.aggregateId, aggregateId),
    attemptsMin && gte(moved.attempts, attemptsMin),
    group && eq(moved.fingerprint, group),
    errorCode && eq(moved.lastErrorCode, errorCode),
    error && contains(sql`CONVERT(${moved.lastError} USING utf8mb4)`, error),
    from && sql`${moved.createdAt} >= ${instantParameter(from)}`,
    to && sql`${moved.createdAt} < ${instantParameter(to)}`,
    traceId && movedTraceFilter(ref, place, traceId),
    q && any(eq(moved.messageId, q), eq(moved.aggregateId, q), eq(moved.eventType, q)),
  ];
  return all(...conditions.filter((condition) => is(condition, SQL)));
}

/**
 * CREATE INDEX statement that would serve a filter; for a search, one per searched column. Empty for an index that is
 * `there`.
 */
export function indexFor(ref: OutboxRef, filter: MessageFilter, there: readonly TableIndex[]): string {
  const { columns } = ref.mapping;
  const { createdAt } = columns;
  const byTrace = filter.traceId ? traceIndex(ref.mapping) : "";
  if (byTrace !== "") return byTrace;
  const create = (column: MappedColumn) => {
    const wanted = [column, ...(createdAt && createdAt.name !== column.name ? [createdAt] : [])];
    return isThere(there, wanted) ? "" : (createIndex(ref.mapping, wanted) ?? "");
  };
  const by = [
    filter.aggregateId ? columns.aggregateId : undefined,
    filter.eventType ? columns.eventType : undefined,
    filter.aggregateType ? columns.aggregateType : undefined,
  ].find((column) => column !== undefined);
  if (by) return create(by);
  if (!filter.q) return indexOfState(ref, filter.state, there);
  const searched = [columns.aggregateId, columns.eventType].filter((column) => column !== undefined);
  return searched
    .map(create)
    .filter((created) => created !== "")
    .join(" ");
}

function indexOfState(ref: OutboxRef, state: MessageFilter["state"], there: readonly TableIndex[]): string {
  const uses: readonly IndexUse[] =
    state === "dead"
      ? ["dead"]
      : state === "failing"
        ? ["dead", "failed", "waiting"]
        : state === "failed"
          ? ["failed", "waiting"]
          : state === "unsent" || UNSENT_STATES.some((unsent) => unsent === state)
            ? ["waiting"]
            : [];
  const indexes = recommendedIndexes(ref.mapping);
  const found = [...uses, "history" as const].map((use) => indexes.find((index) => index.use === use));
  const first = found.find((index) => index !== undefined);
  return first === undefined || isThere(there, first.columns) ? "" : first.sql;
}
