import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { columnSql, encodeInstant, forced, orderColumn, quoteTable } from "../../tables/mapping-sql.ts";
import { orderSql } from "../order-sql.ts";
import type { StatementContext } from "../relay-context.ts";
import { unsentRows } from "../waiting-rows.ts";
import { fromPosition, positionOf } from "./positions.ts";

/** A scan of fewer costs next to nothing. */
const MANY_ROWS = 10_000;
const NUMBER = /^(?:tiny|small|medium|big)?int\b|^decimal\b/;

/**
 * The statement that reads the position of the last row, in the same form as a message's: there is no unsent one above it.
 * Never before the read's start. Includes rows of other partitions: the mark passes them as it passes withheld rows, and
 * searching for a row of ours could walk their whole backlog. None where it takes a scan, from which no read would be spared.
 * Index: as for the claim, backwards; or one of all rows in their order.
 */
export function lastStatement(context: StatementContext, after: OrderKey | null): string[] {
  const { orderIndex, stateIndex, estimatedRows } = context.facts;
  if (orderIndex === null && stateIndex === null && estimatedRows > MANY_ROWS) return [];
  if (stateIndex === null && orderIndex?.byState === false && growsWithTime(context))
    return [lastOfAll(context, after, orderIndex.name)];
  return [unsentRows(context, { select: positionOf(context), after, where: [], limit: 1, backwards: true })];
}

/** Texts need not. */
function growsWithTime({ mapping }: StatementContext): boolean {
  const { time, type } = orderColumn(mapping);
  return time !== undefined || NUMBER.test(type);
}

function lastOfAll(context: StatementContext, after: OrderKey | null, index: string): string {
  const { mapping } = context;
  const order = orderColumn(mapping);
  // A row of the future, by a clock that was wrong, would have all new rows below the mark.
  const notLater = order.time ? `${columnSql(order, "o")} <= ${encodeInstant(order, "UTC_TIMESTAMP(6)")}` : "TRUE";
  const where = [notLater, ...fromPosition(context, after)].join(" AND ");
  const backwards = orderSql(mapping).columns.map((column) => `${column} DESC`);
  return `SELECT ${positionOf(context).join(", ")} FROM ${quoteTable(mapping.table)} o${forced(index)} WHERE ${where}
    ORDER BY ${backwards.join(", ")} LIMIT 0, 1`;
}
