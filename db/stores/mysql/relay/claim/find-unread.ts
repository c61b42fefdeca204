import type { ClaimRequest, UnreadRow } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayContext } from "../relay-context.ts";
import { unsentRows } from "../waiting-rows.ts";
import { dueConditions } from "./claimable.ts";
import { beforePosition, orderOf, positionOf, upToPosition } from "./positions.ts";

/** Unsent rows per search. */
export const SEARCHED_ROWS = 20_000;

/**
 * `RelayTable.findUnread`. Searches up to the edge: the row SEARCHED_ROWS further on, or the last row. Index: as for the
 * claim, forwards, and backwards for the last row. Race: a row that is committed after the edge was read may lie below
 * it; it is found by this search or the next.
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
    return { found: orderOf(found), next };
  });
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
