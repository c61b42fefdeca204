import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { type ClaimRequest, type DueRow, MOST_SOON, SOON_MS, type UnreadRow } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import {
  columnSql,
  encodeInstant,
  instantExpression,
  quoteTable,
  unsentPredicate,
} from "#db/stores/postgres/tables/mapping-sql.ts";
import { orderOf } from "#db/stores/shared/relay/order-of.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { ownsAll } from "#domain/relay/partitions.ts";
import { orderSql, type RelayContext } from "../relay-context.ts";
import { type ClaimVariant, dueRows, fromPosition, parametersOf, variantName } from "./claimable.ts";

/** Unsent rows per search. */
export const SEARCHED_ROWS = 20_000;

/** `RelayTable.findUnread` of one outbox. */
export function createFindUnread(context: RelayContext): (request: ClaimRequest) => Promise<UnreadRow> {
  const statements = new Map<string, string>();
  const { availableAt } = context.mapping.columns;
  const findSoon = async (after: OrderKey | null): Promise<DueRow[]> => {
    const fromStart = after === null;
    const name = `soon-${fromStart ? "start" : "after"}`;
    const statement = statements.get(name) ?? soonStatement(context.mapping, fromStart);
    statements.set(name, statement);
    const { rows } = await context.sessions.single(name, statement, [after?.[0] ?? null, after?.[1] ?? null]);
    return rows.flatMap((row) => {
      const order = orderOf(row);
      return order ? [{ order, inMs: Number(row[2]) }] : [];
    });
  };
  return async (request) => {
    const variant = { fromStart: request.after === null, measured: false, shared: !ownsAll(request.lease) } as const;
    const name = `search-${variantName(variant)}`;
    const statement = statements.get(name) ?? searchStatement(context, variant);
    statements.set(name, statement);
    const { rows } = await context.sessions.single(name, statement, parametersOf(context, { ...request, limit: 1 }));
    const [row = []] = rows;
    const found = { found: orderOf(row.slice(0, 2)), next: row[4] === "0" ? orderOf(row.slice(2, 4)) : null };
    return availableAt ? { ...found, soon: await findSoon(request.after) } : found;
  };
}

/**
 * Rows that become due next, of as many as one search covers. The time is decoded only where it is known to be one,
 * because a text may be anything. Index: as for the claim.
 */
function soonStatement(mapping: OutboxMapping, fromStart: boolean): string {
  const { availableAt } = mapping.columns;
  if (!availableAt) throw new Error("Without a time of availability no row becomes due.");
  const { columns, types, orderBy } = orderSql(mapping);
  const column = columnSql(availableAt, "o");
  const until = `statement_timestamp() + ${SOON_MS} * interval '1 ms'`;
  const isSoon = `${column} > ${encodeInstant(availableAt, "statement_timestamp()")} AND ${column} <= ${encodeInstant(availableAt, until)}`;
  const inMs = `extract(epoch FROM ${instantExpression(availableAt, "o")} - statement_timestamp()) * 1000`;
  const [order, id] = [orderColumn(mapping), mapping.columns.id].map((one) => `${columnSql(one, "o")}::text`);
  return `
SELECT p0, p1, greatest(ms, 0)::float8::text FROM (
  SELECT ${order} AS p0, ${id} AS p1, CASE WHEN ${isSoon} THEN ${inMs} END AS ms FROM ${quoteTable(mapping.table)} o
  WHERE ${unsentPredicate(mapping, "o")} AND ${fromPosition({ columns, types, orderBy }, { fromStart }, 1)}
  ORDER BY ${orderBy} LIMIT ${SEARCHED_ROWS}) searched
WHERE ms IS NOT NULL ORDER BY ms LIMIT ${MOST_SOON}`;
}

/** `RelayTable.findBefore` of one outbox. Index: as for the claim. */
export function createFindBefore(
  context: RelayContext,
): (input: { request: ClaimRequest; before: OrderKey }) => Promise<OrderKey | null> {
  const statements = new Map<string, string>();
  return async ({ request, before }) => {
    const variant = { fromStart: true, measured: false, shared: !ownsAll(request.lease) } as const;
    const given = parametersOf(context, { ...request, after: null, limit: 1 });
    const name = `before-${variantName(variant)}`;
    const statement = statements.get(name) ?? beforeStatement(context, variant, given.length + 1);
    statements.set(name, statement);
    const { rows } = await context.sessions.single(name, statement, [...given, ...before]);
    return orderOf(rows[0]);
  };
}

/** `parameter`: the first of the two that hold the place. */
function beforeStatement(context: RelayContext, variant: ClaimVariant, parameter: number): string {
  const { mapping } = context;
  const { columns, types } = orderSql(mapping);
  const place = types.map((type, index) => `$${parameter + index}::text::${type}`);
  const isBefore = `AND (${columns.join(", ")}) < (${place.join(", ")}) AND $${parameter + 1}::text IS NOT NULL`;
  return `SELECT ${positionOf(context)} FROM (${dueRows(context, variant, isBefore)}) o WHERE $3::bigint > 0`;
}

const positionOf = ({ mapping }: RelayContext): string =>
  [orderColumn(mapping), mapping.columns.id].map((column) => `${columnSql(column, "o")}::text`).join(", ");

/**
 * Searches up to the edge: the row SEARCHED_ROWS further on, or the last row. Index: as for the claim, forwards, and
 * backwards for the last row. Dead row versions that vacuum cannot remove yet do not count towards the limit, but are
 * still walked over.
 */
function searchStatement(context: RelayContext, variant: ClaimVariant): string {
  const { mapping } = context;
  const { columns, orderBy } = orderSql(mapping);
  const position = [orderColumn(mapping), mapping.columns.id].map((column) => `${columnSql(column, "o")}::text`);
  const backwards = columns.map((sql) => `${sql} DESC`).join(", ");
  const unsent = (turn: 0 | 1, rest: string) =>
    `(SELECT ${turn} AS turn, ${columns.map((sql, index) => `${sql} AS k${index}`).join(", ")}, ${position[0]} AS p0, ${position[1]} AS p1
      FROM ${quoteTable(mapping.table)} o WHERE ${unsentPredicate(mapping, "o")} ${rest} LIMIT 1)`;
  const edge = columns.map((_, index) => `(SELECT k${index} FROM edge)`);
  return `
WITH edge AS MATERIALIZED (
  ${unsent(0, `AND ${fromPosition(orderSql(mapping), variant)} ORDER BY ${orderBy} OFFSET ${SEARCHED_ROWS}`)}
  UNION ALL ${unsent(1, `ORDER BY ${backwards}`)}
  ORDER BY turn LIMIT 1
)
SELECT f.p0, f.p1, edge.p0, edge.p1, edge.turn::text FROM edge LEFT JOIN LATERAL (
  SELECT ${position[0]} AS p0, ${position[1]} AS p1 FROM (${dueRows(context, variant, `AND (${columns.join(", ")}) <= (${edge.join(", ")})`)}) o
  WHERE $3::bigint > 0) f ON true`;
}
