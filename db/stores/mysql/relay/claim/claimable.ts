import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import { ownsAll } from "#domain/relay/partitions.ts";
import { columnSql, encodeInstant, exact } from "../../tables/mapping-sql.ts";
import { hasId, textList } from "../literals.ts";
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
export type Wanted = Pick<ClaimRequest, "lease" | "excludeIds"> &
  Partial<Pick<ClaimRequest, "excludeAggregates">> & {
    /** Rows of these aggregates alone. */
    aggregates?: readonly string[];
  };

/** Conditions of the rows that a claim would find, besides that they are unsent and from its position on. */
export function dueConditions(context: StatementContext, wanted: Wanted): string[] {
  const { lease, excludeIds, excludeAggregates = [], aggregates } = wanted;
  const key = aggregateKey(context);
  return [
    isDue(context),
    // CASE: the optimizer must not search the key's index for all the others.
    ...(excludeIds.length === 0 ? [] : [`CASE WHEN ${hasId(context.mapping, excludeIds)} THEN FALSE ELSE TRUE END`]),
    ...(ownsAll(lease) ? [] : [rowInPartitions(context, lease)]),
    ...(excludeAggregates.length === 0 || !context.lanes
      ? []
      : [`(${exact(key)} IN ${textList(excludeAggregates)}) IS NOT TRUE`]),
    ...(aggregates === undefined ? [] : [`${exact(key)} IN ${textList(aggregates)}`]),
    notDeadSql(context),
    notIsolatedSql(context),
    ...typeGoesSql(context),
  ];
}
