import type { Claim } from "../../../port/relay/claim.ts";
import type { Lease } from "../../../port/relay/lease.ts";
import type { OutgoingMessage } from "../../../port/relay/outgoing-message.ts";
import type { RetryEntry } from "../../../port/relay/retry-entry.ts";
import { ORPHANED_TO_ISOLATE } from "../../../shared/quarantine.ts";
import { nowText } from "../../items/instant.ts";
import type { Item } from "../../items/item.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { fetchItems } from "../fetch-items.ts";
import { transactPatiently } from "../patient-transaction.ts";
import { isDue, isUnsent, messageOf } from "../read-item.ts";
import { isTypeWithheld, type RelayContext } from "../relay-context.ts";
import { requireTerm, takeMessages } from "./take-messages.ts";

/** Writes of one transaction. */
const MOST_WRITES = 90;

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
    .slice(0, limit)
    .map(([id]) => id);
  if (due.length === 0) {
    await requireTerm(context, lease);
    return null;
  }
  const claim = await takeMessages(context, { lease, ids: due, judge: (id, item) => retryOf(context, id, item) });
  await forgetGone(context, due, claim);
  return claim;
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

async function forgetGone(context: RelayContext, ids: readonly string[], claim: Claim | null): Promise<void> {
  const claimed = new Set(claim?.messages.map(({ id }) => id));
  const missing = ids.filter((id) => !claimed.has(id));
  if (missing.length === 0) return;
  const items = await fetchItems(context, missing);
  const now = nowText(serverNowMs(context.room.link));
  const gone = missing.filter((id) => {
    const item = items.get(id);
    return !item || !isUnsent(context, item, now);
  });
  for (let at = 0; at < gone.length; at += MOST_WRITES) {
    const some = gone.slice(at, at + MOST_WRITES);
    await transactPatiently(
      context.room.link,
      some.map((id) => context.deliveries.deleteWrite(id)),
    );
    for (const id of some) context.deliveries.delete(id);
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
