import { keyColumns } from "#db/stores/port/message-id.ts";
import type { ClaimRequest, ListedRows } from "#db/stores/port/relay/claim.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import {
  columnSql,
  encodeInstant,
  keyMatch,
  quoteTable,
  unsentPredicate,
} from "#db/stores/postgres/tables/mapping-sql.ts";
import { partitionMask } from "#db/stores/shared/relay/partition-mask.ts";
import { ownsAll } from "#domain/relay/partitions.ts";
import { rowInPartitions } from "../partition-sql.ts";
import { VERSIONED } from "../read-row.ts";
import { aggregateKey, type Measured, messageId, orderSql, type StatementContext } from "../relay-context.ts";
import { notDeadSql } from "./not-dead.ts";
import { notIsolatedSql } from "./not-isolated.ts";
import { pausedTypes, typeGoesSql } from "./pause-filter.ts";

/** Rows that a relay may claim, before positions and exclusions. */
export function claimable(context: StatementContext): string {
  const { availableAt } = context.mapping.columns;
  const due = availableAt
    ? ` AND (${columnSql(availableAt, "o")} IS NULL OR ${columnSql(availableAt, "o")} <= ${encodeInstant(availableAt, "statement_timestamp()")})`
    : "";
  return `${unsentPredicate(context.mapping, "o")}${due}`;
}

export interface ClaimVariant {
  fromStart: boolean;
  measured: Measured;
  /** The term does not own all partitions; rows of other partitions are excluded. */
  shared: boolean;
  /** Ends before the first row younger than this. */
  agedMs?: number;
  /** With `agedMs`: ends also before the first row whose transaction is not below that of the last parameter. */
  since?: boolean;
  /** Number of the parameter with the read's point. Rows below it are returned without their writer; see ReadPoint. */
  point?: number;
  /** True: only rows of the aggregates of $4. False: all but those. */
  followers?: boolean;
  /** The last rows, last first. */
  backwards?: boolean;
  /** Only rows with these keys: number of the first parameter of `amongParameters`. */
  among?: number;
}

/** The statement of this name, written the first time it is asked for. */
export type Once = (name: string, write: () => string) => string;

/** Due rows in order. `within`: a further condition. */
export function dueRows(context: StatementContext, variant: ClaimVariant, within = ""): string {
  const { mapping } = context;
  const order = orderSql(mapping);
  const keys = mapping.primaryKey.map((column) => columnSql(column, "o"));
  const arrays = mapping.primaryKey.map((column, index) => `$${7 + index}::text[]::${column.type}[]`);
  const key = aggregateKey(context);
  const partitions = variant.shared ? `AND ${rowInPartitions(context, 7 + keys.length)}` : "";
  return `
      SELECT ${VERSIONED} FROM ${quoteTable(mapping.table)} o
      WHERE ${claimable(context)}
        AND ${fromPosition(order, variant)} ${within}
        ${variant.among === undefined ? "" : `AND ${amongSql(context, variant.among)}`}
        AND ${keys.length === 1 ? keys[0] : `(${keys.join(", ")})`} NOT IN (SELECT * FROM unnest(${arrays.join(", ")}))
        ${partitions}
        AND ${ofAggregates(key, variant)}
        AND ${notDeadSql(messageId(mapping))}
        AND ${notIsolatedSql(messageId(mapping))}
        AND ${typeGoesSql(context, 7 + keys.length + (variant.shared ? 1 : 0))}
      ORDER BY ${variant.backwards ? order.columns.map((sql) => `${sql} DESC`).join(", ") : order.orderBy} LIMIT $2`;
}

/** IS (NOT) TRUE keeps the planner from a join, in which it compares each row with each key. */
function ofAggregates(key: string, { followers }: ClaimVariant): string {
  const named = `(${key} IN (SELECT unnest($4::text[])))`;
  return followers ? `${named} IS TRUE` : `(cardinality($4::text[]) = 0 OR ${named} IS NOT TRUE)`;
}

/** Rows from a position on. `parameter`: the first of the two parameters that hold the position. */
export function fromPosition(
  { columns, types }: ReturnType<typeof orderSql>,
  { fromStart }: Pick<ClaimVariant, "fromStart">,
  parameter = 5,
): string {
  const [first, second] = [`$${parameter}::text`, `$${parameter + 1}::text`];
  if (fromStart) return `${first} IS NULL AND ${second} IS NULL`;
  const position = types.map((type, index) => `${index === 0 ? first : second}::${type}`);
  return `(${columns.join(", ")}) >= (${position.join(", ")})${types.length === 1 ? ` AND ${second} IS NOT NULL` : ""}`;
}

/** `parameter`: the first of those of `amongParameters`. */
function amongSql({ mapping }: StatementContext, parameter: number): string {
  const { columns, types } = orderSql(mapping);
  const first = parameter + mapping.primaryKey.length;
  const place = types.map((type, index) => `$${first + index}::text::${type}`);
  return `${keyMatch(mapping, "o", parameter)} AND (${columns.join(", ")}) <= (${place.join(", ")}) AND $${first + 1}::text IS NOT NULL`;
}

export function amongParameters({ mapping }: StatementContext, { ids, until }: ListedRows): string[] {
  return [...keyColumns(ids, mapping.primaryKey.length).map(textArray), ...until];
}

export function variantName({ fromStart, measured, shared, agedMs, since, among }: ClaimVariant): string {
  const place = fromStart ? "start" : "after";
  const age = `${agedMs === undefined ? "" : `-aged-${agedMs}`}${since ? "-since" : ""}`;
  return `${place}-${measured || "small"}${shared ? "-shared" : ""}${age}${among === undefined ? "" : "-among"}`;
}

/** Parameters in the order of `dueRows`, as texts. */
export function parametersOf(context: StatementContext, request: ClaimRequest): (string | null)[] {
  const keyLength = context.mapping.primaryKey.length;
  return [
    request.lease.outbox,
    String(request.limit),
    String(request.maxBytes),
    textArray(request.excludeAggregates),
    request.after?.[0] ?? null,
    request.after?.[1] ?? null,
    ...keyColumns(request.excludeIds, keyLength).map(textArray),
    ...(ownsAll(request.lease) ? [] : [partitionMask(request.lease)]),
    ...pausedTypes(context),
  ];
}
