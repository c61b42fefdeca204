import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { ownsAll } from "#domain/partitions.ts";
import { columnSql, encodeInstant, exact } from "../../tables/mapping-sql.ts";
import { hasId, literalFor, textList } from "../literals.ts";
import { orderSql } from "../order-sql.ts";
import { rowInPartitions } from "../partition-sql.ts";
import { aggregateKey, type StatementContext } from "../relay-context.ts";
import { notDeadSql } from "./not-dead.ts";
import { notIsolatedSql } from "./not-isolated.ts";
import { typeGoesSql } from "./pause-filter.ts";

/** SQL over row `o`: it is not scheduled for later. */
export function isDue({ mapping }: StatementContext): string {
  const { availableAt } = mapping.columns;
  if (!availableAt) return "TRUE";
  const column = columnSql(availableAt, "o");
  return `(${column} IS NULL OR ${column} <= ${encodeInstant(availableAt, "UTC_TIMESTAMP(6)")})`;
}

/** What decides which rows a request finds. */
export type Wanted = Pick<ClaimRequest, "lease" | "after" | "excludeIds"> &
  Partial<Pick<ClaimRequest, "excludeAggregates">>;

/** Conditions of the rows that a claim would find, besides that they are unsent. */
export function dueConditions(context: StatementContext, wanted: Wanted): string[] {
  const { lease, after, excludeIds, excludeAggregates = [] } = wanted;
  const key = aggregateKey(context);
  return [
    ...fromPosition(context, after),
    isDue(context),
    // CASE: the optimizer must not search the key's index for all the others.
    ...(excludeIds.length === 0 ? [] : [`CASE WHEN ${hasId(context.mapping, excludeIds)} THEN FALSE ELSE TRUE END`]),
    ...(ownsAll(lease) ? [] : [rowInPartitions(context, lease)]),
    ...(excludeAggregates.length === 0 || !context.lanes
      ? []
      : [`(${exact(key)} IN ${textList(excludeAggregates)}) IS NOT TRUE`]),
    notDeadSql(context),
    notIsolatedSql(context),
    ...typeGoesSql(context),
  ];
}

/**
 * Rows from a position on, itself included. Written out, because no index is searched for a comparison of rows:
 * `(a, b) >= (x, y)`.
 */
export function fromPosition({ mapping }: StatementContext, after: OrderKey | null): string[] {
  return after === null ? [] : boundedBy(mapping, after, ">");
}

/** Rows up to a position, itself included. */
export function upToPosition({ mapping }: StatementContext, last: OrderKey): string[] {
  return boundedBy(mapping, last, "<");
}

/** Rows before a position. */
export function beforePosition(context: StatementContext, position: OrderKey): string[] {
  const { mapped, columns } = orderSql(context.mapping);
  const same = columns.map(
    (sql, index) => `${sql} = ${literalFor(mapped[index] ?? { type: "" }, position[index] ?? "")}`,
  );
  return [...upToPosition(context, position), `NOT (${same.join(" AND ")})`];
}

function boundedBy(mapping: StatementContext["mapping"], position: OrderKey, side: ">" | "<"): string[] {
  const { mapped, columns } = orderSql(mapping);
  const [first, second] = mapped.map((column, index) => literalFor(column, position[index] ?? ""));
  const least = `${columns[0]} ${side}= ${first}`;
  return second === undefined
    ? [least]
    : [least, `(${columns[0]} ${side} ${first} OR ${columns[1]} ${side}= ${second})`];
}

/** The columns of a row's position, as texts. */
export function orderOf(row: readonly (string | null)[] | undefined): OrderKey | null {
  const [first, second] = row ?? [];
  return typeof first === "string" && typeof second === "string" ? [first, second] : null;
}
