import { randomUUID } from "node:crypto";
import { withheldTypes } from "#db/stores/shared/relay/pauses-in-force.ts";
import type { Claim } from "../../port/relay/claim.ts";
import type { Lease } from "../../port/relay/lease.ts";
import type { OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import { claimOpening, insertClaim, readOpening } from "../relay/claim/claim-transaction.ts";
import { textList } from "../relay/literals.ts";
import { ownName, type RelayContext } from "../relay/relay-context.ts";
import { quoteLiteral } from "../tables/mapping-sql.ts";

/** Each may have megabytes, and the server would read all of them to compute their sizes. */
const MOST_IMAGES = 64;

interface Wanted {
  lease: Lease;
  limit?: number;
  excludeIds?: readonly string[];
  /** Claims just this message, even if its route is failing. */
  only?: string;
}

/**
 * Claims due failed and parked messages from their stored images. Index: delivery_due_idx.
 * Race: an operator's verb; the lock of the opening serialises the two.
 */
export async function claimImages(context: RelayContext, wanted: Wanted): Promise<Claim | null> {
  const { lease } = wanted;
  const token = randomUUID();
  return context.sessions.transaction(
    async (_session, opened, close) => {
      readOpening(opened);
      const messages = (opened[2]?.rows ?? []).map(([attempts, image]): OutgoingMessage => {
        const message = JSON.parse(image ?? "null") as OutgoingMessage;
        return { ...message, retried: true, attempts: Number(attempts) };
      });
      if (messages.length === 0) return null;
      await close([insertClaim(context, lease, { token, ids: messages.map(({ id }) => id) })]);
      return { token, messages };
    },
    { opening: [...claimOpening(context, lease), dueStatement(context, wanted)] },
  );
}

function dueStatement(context: RelayContext, { limit = 1, excludeIds = [], only }: Wanted): string {
  const { eventTypes, aggregates } = context.paused;
  const types = only === undefined ? withheldTypes(context) : eventTypes;
  const conditions = [
    `outbox = ${quoteLiteral(context.outbox)} AND dead_at IS NULL AND next_attempt_at <= UTC_TIMESTAMP(6) AND image IS NOT NULL`,
    ...(excludeIds.length > 0 ? [`message_id NOT IN ${textList(excludeIds)}`] : []),
    ...(only === undefined ? [] : [`message_id = ${quoteLiteral(only)}`]),
    ...(types.length > 0 ? [`(event_type IN ${textList(types)}) IS NOT TRUE`] : []),
    ...(aggregates.length > 0 ? [`(aggregate_key IN ${textList(aggregates)}) IS NOT TRUE`] : []),
  ];
  return `SELECT attempts, image FROM ${ownName(context.own.delivery)} WHERE ${conditions.join(" AND ")}
    ORDER BY next_attempt_at LIMIT ${Math.min(limit, MOST_IMAGES)}`;
}
