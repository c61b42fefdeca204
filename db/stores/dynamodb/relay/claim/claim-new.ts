import type { ClaimRequest, ClaimResult } from "../../../port/relay/claim.ts";
import type { OrderKey } from "../../../port/relay/outgoing-message.ts";
import { nowText } from "../../items/instant.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { isDue, isUnsent, messageOf, payloadBytes } from "../read-item.ts";
import type { RelayContext } from "../relay-context.ts";
import { TimeHorizon } from "../time-horizon.ts";
import { candidates, claimable, paced } from "./claimable.ts";
import { MOST_ID_BYTES, takeMessages } from "./take-messages.ts";

/** Rows of a page beyond those that a claim takes: some are in memory already. */
const SPARE_ROWS = 20;

/** `RelayTable.claimNew`. Throws LeaseLostError. */
export async function claimNew(context: RelayContext, request: ClaimRequest): Promise<ClaimResult> {
  await context.deliveries.ready();
  return paced(
    context,
    ({ claim }: ClaimResult) => claim !== null,
    (spent) => claimOnce(context, request, spent),
  );
}

async function claimOnce(
  context: RelayContext,
  request: ClaimRequest,
  spent: (units: number) => void,
): Promise<ClaimResult> {
  const databaseTimeMs = serverNowMs(context.room.link);
  const horizon = new TimeHorizon(databaseTimeMs);
  const last = request.wantLast ? await lastUnsent(context, request, spent) : null;
  const { ids, ended, partial } = await chosenIds(context, request, spent);
  horizon.end();
  const claim = await takeMessages(context, {
    ...{ lease: request.lease, ids },
    judge: (id, item) => {
      const now = nowText(serverNowMs(context.room.link));
      if (context.deliveries.get(id) || !isUnsent(context, item, now) || !isDue(context, item, now)) return null;
      return messageOf(context, item);
    },
  });
  const more = request.agedMs !== undefined || !ended || partial;
  return { claim, more, horizon, last, databaseTimeMs, ...(partial ? { partial } : {}) };
}

/**
 * Ids of the first messages that may be claimed; `ended`: the read found no more; `partial`: of a part of the index.
 */
async function chosenIds(
  context: RelayContext,
  request: ClaimRequest,
  spent: (units: number) => void,
): Promise<{ ids: string[]; ended: boolean; partial: boolean }> {
  const { after, limit, maxBytes, excludeIds } = request;
  const nowMs = serverNowMs(context.room.link);
  const mayClaim = claimable(context, request, nowText(nowMs));
  const ids: string[] = [];
  let bytes = 0;
  let idBytes = 0;
  let partial = false;
  const cut = () => {
    partial = true;
  };
  const pageItems = Math.min(1000, limit + Math.min(limit, excludeIds.length) + SPARE_ROWS);
  for await (const candidate of candidates(context, { after, pageItems, spent, reader: "claim", cut })) {
    if (!mayClaim(candidate)) continue;
    if (ids.length > 0 && (bytes >= maxBytes || idBytes >= MOST_ID_BYTES)) return { ids, ended: false, partial };
    if (isYoung(context, request, candidate.createdAtMs, nowMs)) return { ids, ended: false, partial };
    ids.push(candidate.id);
    bytes += payloadBytes(context, candidate.item);
    idBytes += Buffer.byteLength(candidate.id);
    if (ids.length >= limit) return { ids, ended: false, partial };
  }
  return { ids, ended: true, partial };
}

/**
 * A young item ends the read. If it were skipped, the next read would begin after it and later items would overtake it.
 */
function isYoung({ mapping }: RelayContext, { agedMs }: ClaimRequest, createdAtMs: number, nowMs: number): boolean {
  return agedMs !== undefined && mapping.columns.createdAt !== undefined && !(createdAtMs < nowMs - agedMs);
}

async function lastUnsent(
  context: RelayContext,
  { after }: ClaimRequest,
  spent: (units: number) => void,
): Promise<OrderKey | null> {
  const now = nowText(serverNowMs(context.room.link));
  let partial = false;
  const cut = () => {
    partial = true;
  };
  for await (const { item, order } of candidates(context, { after, backwards: true, pageItems: 10, spent, cut })) {
    if (partial) return null;
    if (isUnsent(context, item, now)) return order;
  }
  return null;
}
