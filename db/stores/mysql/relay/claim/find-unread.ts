import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { type ClaimRequest, type DueRow, MOST_SOON, SOON_MS, type UnreadRow } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { orderOf } from "#db/stores/shared/relay/order-of.ts";
import { columnSql, encodeInstant, instantExpression } from "../../tables/mapping-sql.ts";
import type { RelayContext } from "../relay-context.ts";
import { unsentRows } from "../waiting-rows.ts";
import { dueConditions } from "./claimable.ts";
import { beforePosition, positionOf, upToPosition } from "./positions.ts";

/** Unsent rows per search. */
const SEARCHED_ROWS = 20_000;

/**
 * `RelayTable.findUnread`. Searches up to the edge: the row SEARCHED_ROWS further on, or the last row. Index: as for
 * the claim, forwards, and backwards for the last row. Race: a row that is committed after the edge was read may lie
 * below it; it is found by this search or the next.
 */
export async function findUnread(context: RelayContext, request: ClaimRequest): Promise<UnreadRow> {
  const select = positionOf(context);
  const { after } = request;
  return context.sessions.single(async (session) => {
    const [further, end] = await session.script([
      unsentRows(context, { select, after, where: [], limit: 1, offset: SEARCHED_ROWS }),
      unsentRows(context, { select, after, where: [], limit: 1, backwards: true }),
    ]);
    const next = orderOf(further?.rows[0]);
    const edge = next ?? orderOf(end?.rows[0]);
    if (edge === null) return { found: null, next: null };
    const where = [...dueConditions(context, request), ...upToPosition(context, edge)];
    const [found] = await session.rows(unsentRows(context, { select, after, where, limit: 1 }));
    const result = { found: orderOf(found), next };
    const { availableAt } = context.mapping.columns;
    if (!availableAt) return result;
    const soon = await session.rows(soonStatement(context, availableAt, { after, edge }));
    return { ...result, soon: soon.flatMap(dueRowOf) };
  });
}

/** Rows up to the edge that become due next. Index: as for the claim. */
function soonStatement(
  context: RelayContext,
  availableAt: MappedColumn,
  { after, edge }: { after: OrderKey | null; edge: OrderKey },
): string {
  const column = columnSql(availableAt, "o");
  const now = "UTC_TIMESTAMP(6)";
  const until = `${now} + INTERVAL ${SOON_MS * 1000} MICROSECOND`;
  const inMs = `TIMESTAMPDIFF(MICROSECOND, ${now}, ${instantExpression(availableAt, "o")}) / 1000`;
  const where = [
    `${column} > ${encodeInstant(availableAt, now)}`,
    `${column} <= ${encodeInstant(availableAt, until)}`,
    ...upToPosition(context, edge),
  ];
  return unsentRows(context, { select: [...positionOf(context), inMs], after, where, limit: MOST_SOON });
}

function dueRowOf(row: readonly (string | null)[]): DueRow[] {
  const order = orderOf(row);
  return order ? [{ order, inMs: Math.max(0, Number(row[2])) }] : [];
}

/** `RelayTable.findBefore`. Index: as for the claim. */
export async function findBefore(
  context: RelayContext,
  request: ClaimRequest,
  before: OrderKey,
): Promise<OrderKey | null> {
  const where = [...dueConditions(context, request), ...beforePosition(context, before)];
  const read = unsentRows(context, { select: positionOf(context), after: null, where, limit: 1 });
  return context.sessions.single(async (session) => orderOf((await session.rows(read))[0]));
}
