import { randomUUID } from "node:crypto";
import { DeleteItemCommand, GetItemCommand, type TransactWriteItem, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import type { Claim } from "../../../port/relay/claim.ts";
import { type Lease, LeaseLostError } from "../../../port/relay/lease.ts";
import type { OutgoingMessage } from "../../../port/relay/outgoing-message.ts";
import { cancelledBy } from "../../connection/cancelled.ts";
import { nameOf } from "../../connection/to-store-error.ts";
import { nowText } from "../../items/instant.ts";
import type { Item } from "../../items/item.ts";
import { keyItem, putIf } from "../../own-table/own-table.ts";
import { type ClaimDoc, claimKey, termKey } from "../../own-table/relay-docs.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { fetchItems } from "../fetch-items.ts";
import { transactPatiently } from "../patient-transaction.ts";
import type { RelayContext } from "../relay-context.ts";

export interface Taking {
  lease: Lease;
  ids: readonly string[];
  /** The token of a claim beside which no other message is in flight. */
  aloneAs?: string | null;
  /** The message of an item as it is now; null if it must not be published now. */
  judge: (id: string, item: Item) => OutgoingMessage | null;
}

/**
 * Claims messages by their ids. Reads their items from the table itself, because the index follows it after a moment;
 * writes the claim while the term lasts; and then looks for actions of operators, which do not see a claim that was
 * written after they had looked. Null if nothing is left. Throws LeaseLostError.
 */
export async function takeMessages(context: RelayContext, taking: Taking): Promise<Claim | null> {
  if (taking.ids.length === 0) return null;
  await context.deliveries.ready();
  // Taken before the items are read, because a heartbeat may read new actions while the claim is written.
  const before = context.deliveries.digest;
  const messages = await judged(context, taking);
  if (messages.length === 0) return null;
  const token = taking.aloneAs ?? randomUUID();
  await writeClaim(context, taking, { token, ids: messages.map(({ id }) => id) });
  const { announced, digest } = await context.deliveries.refresh();
  const still = digest === before ? messages : await judged(context, taking);
  const kept = still.filter(({ id }) => !announced.has(id));
  const keptIds = new Set(kept.map(({ id }) => id));
  const dropped = messages.map(({ id }) => id).filter((id) => !keptIds.has(id));
  if (dropped.length > 0) await dropFromClaim(context, taking.lease, { token, ids: dropped, all: kept.length === 0 });
  return kept.length === 0 ? null : { token, messages: kept };
}

async function judged(context: RelayContext, { ids, judge }: Taking): Promise<OutgoingMessage[]> {
  const items = await fetchItems(context, ids);
  return ids.flatMap((id) => {
    const item = items.get(id);
    return (item && judge(id, item)) ?? [];
  });
}

async function writeClaim(
  { room: { own, link }, outbox }: RelayContext,
  { lease, aloneAs = null }: Taking,
  { token, ids }: { token: string; ids: string[] },
): Promise<void> {
  const { owner, epoch } = lease;
  const doc: ClaimDoc = { owner, epoch, alone: aloneAs !== null, startedAt: nowText(serverNowMs(link)), ids };
  const claim = putIf(own, { ...claimKey(outbox, epoch, token), doc, v: "1" }, null);
  try {
    await transactPatiently(link, [termLasts({ room: { own, link }, outbox }, lease), claim]);
  } catch (error) {
    if (cancelledBy(error)?.failed.includes(0)) throw new LeaseLostError("The lease of this relay is over.");
    throw error;
  }
}

/** Most bytes of the ids in one claim: its item holds all of them, and the failed ones again, in at most 400 KB. */
export const MOST_ID_BYTES = 190_000;

/** The term has not been ended, and has not run out. */
export function termLasts(
  { room: { own, link }, outbox }: { room: Pick<RelayContext["room"], "own" | "link">; outbox: string },
  { epoch }: Lease,
): TransactWriteItem {
  return {
    ConditionCheck: {
      TableName: own.name,
      Key: keyItem(termKey(outbox, epoch)),
      ConditionExpression: "attribute_exists(pk) AND #until > :now",
      ExpressionAttributeNames: { "#until": "until" },
      ExpressionAttributeValues: { ":now": { N: String(serverNowMs(link)) } },
    },
  };
}

/** Throws LeaseLostError. */
export async function requireTerm({ room: { own, link }, outbox }: RelayContext, { epoch }: Lease): Promise<void> {
  const Key = keyItem(termKey(outbox, epoch));
  const { Item: term } = await link.client.send(new GetItemCommand({ TableName: own.name, Key, ConsistentRead: true }));
  if (Number(term?.until?.N ?? 0) <= serverNowMs(link)) throw new LeaseLostError("The lease of this relay is over.");
}

/** A claim that is gone was ended by the next owner. */
async function dropFromClaim(
  { room: { own, link }, outbox }: RelayContext,
  { epoch }: Lease,
  { token, ids, all }: { token: string; ids: string[]; all: boolean },
): Promise<void> {
  const Key = keyItem(claimKey(outbox, epoch, token));
  if (all) {
    await link.client.send(new DeleteItemCommand({ TableName: own.name, Key }));
    return;
  }
  const command = new UpdateItemCommand({
    ...{ TableName: own.name, Key, UpdateExpression: "ADD done :ids" },
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeValues: { ":ids": { SS: ids } },
  });
  await link.client.send(command).catch((error: unknown) => {
    if (nameOf(error) !== "ConditionalCheckFailedException") throw error;
  });
}
