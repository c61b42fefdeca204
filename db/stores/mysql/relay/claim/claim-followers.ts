import { randomUUID } from "node:crypto";
import type { Followed, FollowRequest } from "#db/stores/port/relay/claim.ts";
import { compareOrder } from "#db/stores/shared/relay/compare-order.ts";
import { orderOf } from "#db/stores/shared/relay/order-of.ts";
import type { RowReader } from "../read-row.ts";
import type { RelayContext } from "../relay-context.ts";
import { unsentRows } from "../waiting-rows.ts";
import { inlineBytes, messagesOf, taken } from "./claim-new.ts";
import { claimOpening, insertClaim, readOpening } from "./claim-transaction.ts";
import { dueConditions } from "./claimable.ts";
import { beforePosition, positionOf } from "./positions.ts";

/** Unsent rows that one claim walks over: some 10 ms. */
const WALKED_ROWS = 4000;

/**
 * `RelayTable.claimFollowers`. The edge is read first: a claim of few rows among many would walk to the end of the
 * table. Index: as for the claim of new rows, twice. Race: as there; a row cannot be committed between the two reads,
 * since they end before a closed place.
 */
export async function claimFollowers(
  context: RelayContext,
  reader: RowReader,
  request: FollowRequest,
): Promise<Followed> {
  const { lease, after, before, limit } = request;
  const { sessions, guard } = context;
  const token = randomUUID();
  const select = positionOf(context);
  const further = unsentRows(context, { select, after, where: [], limit: 1, offset: WALKED_ROWS });
  return sessions.transaction(
    async (session, opened, close) => {
      readOpening(opened);
      await guard.check(session, opened.at(-1));
      const edge = orderOf(opened[2]?.rows[0]);
      const end = edge !== null && compareOrder(edge, before) < 0 ? edge : before;
      const where = [...dueConditions(context, request), ...beforePosition(context, end)];
      const columns = reader.upTo(inlineBytes(request));
      const read = await session.rows(unsentRows(context, { select: columns, after, where, limit }));
      const rows = taken(context, reader, read, request);
      const messages = await messagesOf(context, reader, session, rows);
      const ids = rows.map((row) => reader.id(row));
      await close(messages.length > 0 ? [insertClaim(context, lease, { token, ids })] : []);
      const isFull = read.length >= limit || rows.length < read.length;
      const last = messages.at(-1);
      return { claim: last ? { token, messages } : null, reached: isFull && last ? last.order : end };
    },
    { opening: [...claimOpening(context, lease, "TRUE"), further, ...guard.statements] },
  );
}
