import type {
  ClaimRequest,
  LookAhead,
  LookedAhead,
  Skipped,
  UnreadRow,
  WaitingRow,
} from "../../../port/relay/claim.ts";
import type { Head } from "../../../port/relay/head.ts";
import type { OrderKey } from "../../../port/relay/outgoing-message.ts";
import { nowText } from "../../items/instant.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { orderComparison } from "../compare-order.ts";
import type { Candidate } from "../read-item.ts";
import type { RelayContext } from "../relay-context.ts";
import { TimeHorizon } from "../time-horizon.ts";
import type { IndexRead } from "../waiting-index.ts";
import { candidates, claimable, paced } from "./claimable.ts";

/** Items of one search: some tens of capacity units for small messages. */
const SEARCHED = 5_000;
/** Items before one that was scheduled. */
const MOST_BEFORE = 20_000;
/** Items of one run of dead or waiting ones. */
const MOST_SKIPPED = 50_000;
/** Up to this many dead or waiting messages, the read itself skips them. */
const MANY_BESIDE = 1_000;

/** `RelayTable.hasNew`. By the index alone: an item that was published a moment ago may still count. */
export async function hasNew(context: RelayContext, request: ClaimRequest): Promise<boolean> {
  await context.deliveries.ready();
  const mayClaim = claimable(context, request, nowText(serverNowMs(context.room.link)));
  const common = { pageItems: Math.min(request.excludeIds.length + 10, 1000), reader: "claim" } as const;
  return paced(
    context,
    (found: boolean) => found,
    async (spent) => {
      const { after } = request;
      for await (const candidate of candidates(context, { ...common, after, spent }))
        if (mayClaim(candidate)) return true;
      return false;
    },
  );
}

/** `RelayTable.findUnread`. */
export async function findUnread(context: RelayContext, request: ClaimRequest): Promise<UnreadRow> {
  const mayClaim = claimable(context, request, nowText(serverNowMs(context.room.link)));
  const read = { after: request.after, reader: "unread" } as const;
  return search<UnreadRow>(context, read, { found: null, next: null }, ({ order }, place, candidate) => {
    if (mayClaim(candidate)) return { found: order, next: null };
    return isFar(context, place) ? { found: null, next: order } : null;
  });
}

/** `RelayTable.findBefore`. Over a bounded number of items. */
export async function findBefore(
  context: RelayContext,
  request: ClaimRequest,
  before: OrderKey,
): Promise<OrderKey | null> {
  const mayClaim = claimable(context, request, nowText(serverNowMs(context.room.link)));
  const compare = orderComparison(context.mapping);
  const { found } = await search<{ found: OrderKey | null }>(
    context,
    { after: null },
    { found: null },
    ({ order }, place, candidate) => {
      if (place > MOST_BEFORE || compare(order, before) >= 0) return { found: null };
      return mayClaim(candidate) ? { found: order } : null;
    },
  );
  return found;
}

/** `RelayTable.lookAhead`. */
export async function lookAhead(context: RelayContext, request: LookAhead): Promise<LookedAhead> {
  const nowMs = serverNowMs(context.room.link);
  const horizon = new TimeHorizon(nowMs);
  const mayClaim = claimable(context, request, nowText(nowMs));
  const rows: WaitingRow[] = [];
  let partial = false;
  const cut = () => {
    partial = true;
  };
  const { after } = request;
  await search(
    context,
    { after, cut },
    null,
    ({ id, aggregateKey, eventType, order, createdAtMs }, place, candidate) => {
      if (mayClaim(candidate)) rows.push({ id, aggregateKey, eventType, order, ageMs: nowMs - createdAtMs });
      return place >= SEARCHED ? "enough" : null;
    },
  );
  return { rows, horizon: horizon.end(), ...(partial ? { partial } : {}) };
}

/** `RelayTable.skipDeadRows`. */
export async function skipDeadRows(context: RelayContext, after: OrderKey | null): Promise<Skipped | null> {
  if (!context.mapping.columns.createdAt || context.deliveries.size < MANY_BESIDE) return null;
  const nowMs = serverNowMs(context.room.link);
  const horizon = new TimeHorizon(nowMs);
  let last: Candidate | null = null;
  let partial = false;
  const cut = () => {
    partial = true;
  };
  await search(context, { after, cut }, null, (candidate, place) => {
    if (partial || !context.deliveries.get(candidate.id)) return "end of the run";
    last = candidate;
    return place >= MOST_SKIPPED ? "enough" : null;
  });
  const reached = last as Candidate | null;
  if (!reached || Number.isNaN(reached.createdAtMs)) return null;
  return { reached: reached.order, horizon: horizon.end(), ageMs: nowMs - reached.createdAtMs, closed: false };
}

/** `RelayTable.findHead`. */
export async function findHead(
  context: RelayContext,
  request: ClaimRequest,
  excludeTypes: readonly string[],
): Promise<Head | null> {
  if (!context.mapping.columns.eventType) return null;
  const mayClaim = claimable(context, request, nowText(serverNowMs(context.room.link)));
  const heads: Candidate[] = [];
  const leftOut = new Set<string>();
  await search(context, { after: null, reader: "head" }, null, (candidate, place) => {
    if (mayClaim(candidate)) {
      const { eventType, aggregateKey } = candidate;
      if (eventType === null || !excludeTypes.includes(eventType)) heads.push(candidate);
      else if (aggregateKey !== null) leftOut.add(aggregateKey);
    }
    return isFar(context, place) ? "enough" : null;
  });
  const head = heads.find(({ aggregateKey }) => aggregateKey === null || !leftOut.has(aggregateKey));
  return head ? { id: head.id, aggregateKey: head.aggregateKey, order: head.order } : null;
}

/** Enough for one search. An index without order has been read by then, and its next part is another. */
function isFar({ index }: RelayContext, place: number): boolean {
  return place >= SEARCHED && index?.sortedBy !== null;
}

/** Passes waiting items to `look` in order until it returns a result; `place` counts from 1. */
async function search<Found>(
  context: RelayContext,
  read: Pick<IndexRead, "after" | "reader" | "cut">,
  otherwise: Found,
  look: (candidate: Candidate, place: number, same: Candidate) => Found | string | null,
): Promise<Found> {
  await context.deliveries.ready();
  return paced(
    context,
    () => false,
    async (spent) => {
      let place = 0;
      for await (const candidate of candidates(context, { ...read, spent })) {
        place += 1;
        const found = look(candidate, place, candidate);
        if (found !== null) return found as Found;
      }
      return otherwise;
    },
  );
}
