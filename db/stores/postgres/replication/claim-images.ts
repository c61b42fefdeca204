import { randomUUID } from "node:crypto";
import { withheldTypes } from "#db/stores/shared/relay/pauses-in-force.ts";
import { ANY_BYTES, type Claim } from "../../port/relay/claim.ts";
import type { Lease } from "../../port/relay/lease.ts";
import type { OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import { textArray } from "../connection/text-array.ts";
import { claimOpening, readOpening } from "../relay/claim/claim-transaction.ts";
import { mostBytes } from "../relay/claim/measured-rows.ts";
import type { RelayContext } from "../relay/relay-context.ts";

/**
 * Claims due failed and parked messages from their stored images. Index: delivery_due_idx.
 * Race: an operator's verb; the advisory lock of the opening serialises the two.
 */
const CLAIM = `
WITH listed AS (
  SELECT message_id, attempts, next_attempt_at, image, ${mostBytes("image")} AS bytes FROM outbox_console.delivery
  WHERE outbox = $1 AND dead_at IS NULL AND next_attempt_at <= clock_timestamp() AND message_id <> ALL ($5::text[]) AND image IS NOT NULL
    AND ($9::text IS NULL OR message_id = $9::text)
    AND (event_type = ANY ($7::text[])) IS NOT TRUE AND (aggregate_key = ANY ($8::text[])) IS NOT TRUE
  ORDER BY next_attempt_at LIMIT $6
), summed AS (
  SELECT *, sum(bytes) OVER (ORDER BY next_attempt_at, message_id ROWS UNBOUNDED PRECEDING) AS total FROM listed
), due AS MATERIALIZED (
  SELECT message_id, attempts, image FROM summed WHERE total - bytes < $10::bigint
), held AS (
  INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids)
  SELECT $4::uuid, $1, $2, $3::bigint, array_agg(message_id) FROM due HAVING count(*) > 0 RETURNING token
)
SELECT due.attempts::text, due.image::text FROM due, held`;

/** `only`: claims just this message, even if its route is failing. */
export async function claimImages(
  context: RelayContext,
  input: { lease: Lease; limit?: number; excludeIds?: readonly string[]; maxBytes?: number; only?: string },
): Promise<Claim | null> {
  const token = randomUUID();
  const { lease, limit = 1, excludeIds = [], maxBytes = ANY_BYTES, only = null } = input;
  return context.sessions.transaction({
    opening: claimOpening(context, lease),
    work: async (session, opened) => {
      readOpening(opened);
      const { eventTypes, aggregates } = context.paused;
      const values = [lease.outbox, lease.owner, lease.epoch, token, textArray(excludeIds), limit];
      const types = only === null ? withheldTypes(context) : eventTypes;
      const paused = [textArray(types), textArray(aggregates), only, maxBytes];
      const { rows } = await session.query("claim-images", CLAIM, [...values, ...paused]);
      const messages = rows.map(([attempts, image]) => {
        const message: OutgoingMessage = JSON.parse(image ?? "null");
        return { ...message, retried: true, attempts: Number(attempts) };
      });
      return messages.length > 0 ? { token, messages } : null;
    },
  });
}
