import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { columnSql, encodeInstant, forced, quoteTable } from "../../tables/mapping-sql.ts";
import { orderSql } from "../order-sql.ts";
import type { StatementContext } from "../relay-context.ts";
import { unsentRows } from "../waiting-rows.ts";
import { fromPosition, positionOf } from "./positions.ts";

/** Up to this many rows, a scan costs next to nothing. */
const MANY_ROWS = 10_000;
const NUMBER = /^(?:tiny|small|medium|big)?int\b|^decimal\b/;

/**
 * The statement that reads the position of the last row, in the same form as a message's: no unsent row comes after it.
 * The position is never before the read's start. Includes rows of other partitions: the watermark passes them like
 * withheld rows, and a search for a row of ours could walk their whole backlog. Empty if it would need a scan, which
 * saves no read. Index: as for the claim, backwards; or one of all rows in their order.
 */
export function lastStatement(context: StatementContext, after: OrderKey | null): string[] {
  const { orderIndex, stateIndex, estimatedRows } = context.facts;
  if (orderIndex === null && stateIndex === null && estimatedRows > MANY_ROWS) return [];
  if (stateIndex === null && orderIndex?.byState === false && growsWithTime(context))
    return [lastOfAll(context, after, orderIndex.name)];
  return [unsentRows(context, { select: positionOf(context), after, where: [], limit: 1, backwards: true })];
}

/** False for an order column of text, whose new values need not be greater. */
function growsWithTime({ mapping }: StatementContext): boolean {
  const { time, type } = orderColumn(mapping);
  return time !== undefined || NUMBER.test(type);
}

function lastOfAll(context: StatementContext, after: OrderKey | null, index: string): string {
  const { mapping } = context;
  const order = orderColumn(mapping);
  // A row that a wrong clock dated in the future would put all new rows below the watermark.
  const notLater = order.time ? `${columnSql(order, "o")} <= ${encodeInstant(order, "UTC_TIMESTAMP(6)")}` : "TRUE";
  const where = [notLater, ...fromPosition(context, after)].join(" AND ");
  const backwards = orderSql(mapping).columns.map((column) => `${column} DESC`);
  return `SELECT ${positionOf(context).join(", ")} FROM ${quoteTable(mapping.table)} o${forced(index)} WHERE ${where}
    ORDER BY ${backwards.join(", ")} LIMIT 0, 1`;
}
