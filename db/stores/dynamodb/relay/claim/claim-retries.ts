import type { Claim } from "../../../port/relay/claim.ts";
import type { Lease } from "../../../port/relay/lease.ts";
import type { OutgoingMessage } from "../../../port/relay/outgoing-message.ts";
import type { RetryEntry } from "../../../port/relay/retry-entry.ts";
import { ORPHANED_TO_ISOLATE } from "../../../shared/relay/quarantine.ts";
import { cancelledBy } from "../../connection/cancelled.ts";
import { nowText } from "../../items/instant.ts";
import type { Item } from "../../items/item.ts";
import { deleteIf, getRecord, type OwnRecord } from "../../own-table/own-table.ts";
import { type DeliveryDoc, deliveryKey } from "../../own-table/relay-docs.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { fetchItems } from "../fetch-items.ts";
import { transactPatiently } from "../patient-transaction.ts";
import { isDue, isUnsent, messageOf } from "../read-item.ts";
import { isTypeWithheld, type RelayContext } from "../relay-context.ts";
import { MOST_ID_BYTES, requireTerm, takeMessages } from "./take-messages.ts";

/**
 * Claims due failed messages, the longest due first. Forgets failures of messages that another program has published or
 * removed: nothing is left to retry.
 */
export async function claimDueRetries(
  context: RelayContext,
  { lease, limit, excludeIds }: { lease: Lease; limit: number; excludeIds: readonly string[] },
): Promise<Claim | null> {
  const { deliveries, suspects, paused } = context;
  await deliveries.refresh();
  const excluded = new Set(excludeIds);
  const due = deliveries
    .waiting(lease)
    .filter(
      ([id, doc]) =>
        deliveries.dueInMs(doc) <= 0 &&
        !excluded.has(id) &&
        (suspects.get(id) ?? 0) < ORPHANED_TO_ISOLATE &&
        !isTypeWithheld(context, doc.eventType) &&
        !(doc.aggregateKey !== null && paused.aggregates.has(doc.aggregateKey)),
    )
    .map(([id]) => id);
  const ids = fitting(due, limit);
  if (ids.length === 0) {
    await requireTerm(context, lease);
    return null;
  }
  const claim = await takeMessages(context, { lease, ids, judge: (id, item) => retryOf(context, id, item) });
  await forgetGone(context, ids, claim);
  return claim;
}

/** The first ids that one claim holds. */
function fitting(ids: readonly string[], limit: number): string[] {
  let bytes = 0;
  const over = ids.findIndex((id) => {
    bytes += Buffer.byteLength(id);
    return bytes > MOST_ID_BYTES;
  });
  return ids.slice(0, over < 0 ? limit : Math.min(limit, Math.max(over, 1)));
}

/** A failed message whose next attempt is due; null if it is not, or not failed, or not to be sent any more. */
export function retryOf(context: RelayContext, id: string, item: Item): OutgoingMessage | null {
  const { deliveries } = context;
  const doc = deliveries.get(id);
  const now = nowText(serverNowMs(context.room.link));
  if (!doc || doc.nextAttemptAt === null || deliveries.dueInMs({ nextAttemptAt: doc.nextAttemptAt }) > 0) return null;
  if (!isUnsent(context, item, now) || !isDue(context, item, now)) return null;
  const message = messageOf(context, item);
  return { ...message, retried: true, attempts: Math.max(message.attempts, doc.attempts) };
}

/**
 * Race: an operator's verb, which may move a message away or bring it back. It changes our record of the failures. So
 * the record is read before the item, and deleted only if unchanged: otherwise the record of a dead or restored message
 * is lost.
 */
async function forgetGone(context: RelayContext, ids: readonly string[], claim: Claim | null): Promise<void> {
  const { room, outbox, deliveries } = context;
  const claimed = new Set(claim?.messages.map(({ id }) => id));
  const records = new Map<string, OwnRecord<DeliveryDoc>>();
  for (const id of ids) {
    const record = claimed.has(id) ? null : await getRecord<DeliveryDoc>(room.own, deliveryKey(outbox, id));
    if (record && record.doc.nextAttemptAt !== null) records.set(id, record);
  }
  // The records in memory differ: read them again.
  if (records.size + claimed.size < ids.length) deliveries.forget();
  if (records.size === 0) return;
  const items = await fetchItems(context, [...records.keys()]);
  const now = nowText(serverNowMs(room.link));
  for (const [id, { v }] of records) {
    const item = items.get(id);
    if (item && isUnsent(context, item, now)) continue;
    deliveries.forget();
    try {
      await transactPatiently(room.link, [deleteIf(room.own, deliveryKey(outbox, id), v)]);
    } catch (error) {
      if (!cancelledBy(error)?.failed.includes(0)) throw error;
    }
  }
}

/** `RelayTable.listRetries`. */
export async function listRetries({ deliveries }: RelayContext, lease: Lease): Promise<RetryEntry[]> {
  await deliveries.refresh();
  return deliveries.waiting(lease).map(([id, doc]) => ({
    id,
    aggregateKey: doc.aggregateKey,
    eventType: doc.eventType,
    order: doc.order,
    attempts: doc.attempts,
    dueInMs: deliveries.dueInMs(doc),
  }));
}
