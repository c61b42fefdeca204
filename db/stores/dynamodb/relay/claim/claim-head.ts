import type { Claim } from "../../../port/relay/claim.ts";
import type { Head } from "../../../port/relay/head.ts";
import type { Lease } from "../../../port/relay/lease.ts";
import type { OrderKey } from "../../../port/relay/outgoing-message.ts";
import type { SuspectEntry } from "../../../port/relay/suspect-entry.ts";
import { nowText } from "../../items/instant.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { orderComparison } from "../compare-order.ts";
import { identityOf } from "../item-version.ts";
import { isInTerm } from "../partition.ts";
import { candidateOf, isDue, isUnsent, messageOf } from "../read-item.ts";
import type { RelayContext } from "../relay-context.ts";
import { retryOf } from "./claim-retries.ts";
import { candidates } from "./claimable.ts";
import { takeMessages } from "./take-messages.ts";

/**
 * Claims one message, or an earlier message of its aggregate that was never tried and must go first. `from`: no such
 * message is before this position. `aloneAs`: the token of a claim that is marked as the only one in flight. Null if
 * the message is not due or gone, or if a suspect's id is another item's. Throws LeaseLostError.
 */
export async function claimHead(
  context: RelayContext,
  {
    lease,
    message,
    from,
    aloneAs,
  }: { lease: Lease; message: Head & Partial<SuspectEntry>; from: OrderKey | null; aloneAs: string | null },
): Promise<Claim | null> {
  await context.deliveries.refresh();
  const id = message.aggregateKey === null ? message.id : await headOf(context, message, from);
  return takeMessages(context, {
    ...{ lease, ids: [id], aloneAs },
    judge: (_, item) => {
      const now = nowText(serverNowMs(context.room.link));
      const { aggregateKey } = candidateOf(context, item);
      if (!isInTerm(lease, id, aggregateKey)) return null;
      const accused = id === message.id ? message.identity : undefined;
      if (accused !== undefined && accused !== identityOf(context.mapping, item)) return null;
      if (context.deliveries.get(id)) return retryOf(context, id, item);
      return isUnsent(context, item, now) && isDue(context, item, now) ? messageOf(context, item) : null;
    },
  });
}

/** The first due, never tried message of the aggregate up to the wanted one, as the index shows them. */
async function headOf(context: RelayContext, wanted: Head, from: OrderKey | null): Promise<string> {
  const compare = orderComparison(context.mapping);
  const now = nowText(serverNowMs(context.room.link));
  if (!context.index) return wanted.id;
  for await (const { id, aggregateKey, order, item } of candidates(context, { after: from })) {
    if (compare(order, wanted.order) >= 0) break;
    const isNew = aggregateKey === wanted.aggregateKey && !context.deliveries.get(id);
    if (isNew && isUnsent(context, item, now) && isDue(context, item, now)) return id;
  }
  return wanted.id;
}
