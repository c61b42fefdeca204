import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { Lease, OrphanedMessage } from "../../../port/relay/lease.ts";
import { cancelledBy } from "../../connection/cancelled.ts";
import { nowText } from "../../items/instant.ts";
import { allRecords, keyItem, PARTITIONS, toItem } from "../../own-table/own-table.ts";
import { type SuspectDoc, suspectKey } from "../../own-table/relay-docs.ts";
import { type HeldClaim, readRelayState, serverNowMs } from "../../own-table/terms.ts";
import { fetchItems } from "../fetch-items.ts";
import { identityOf } from "../item-version.ts";
import { transactPatiently } from "../patient-transaction.ts";
import { isUnsent } from "../read-item.ts";
import type { RelayContext } from "../relay-context.ts";
import { crashWrites } from "./crash.ts";

/** Suspects of one transaction: each takes up to four writes. */
const AT_ONCE = 20;

/**
 * Ends the claims whose term is over and returns their messages. Those of a dead owner become suspects, in the
 * transaction that takes them out of their claim, so that each counts once.
 */
export async function endOrphanedClaims(context: RelayContext, lease: Lease): Promise<OrphanedMessage[]> {
  const { own } = context.room;
  const { claims, terms } = await readRelayState(own, context.outbox);
  const living = new Set(terms.map(({ epoch }) => epoch));
  const over = claims.filter(({ epoch }) => !living.has(epoch));
  const suspects = await readSuspects(context);
  // If a message was alone in flight, only that one is suspected, not the other claims of its relay.
  const diedAlone = new Set(
    over.filter(({ alone, owner }) => alone && owner !== lease.owner).map(({ owner }) => owner),
  );
  const orphaned: OrphanedMessage[] = [];
  for (const claim of over) {
    const { owner, alone } = claim;
    const accuses = owner !== lease.owner && (alone || !diedAlone.has(owner));
    const ended = await endClaim(context, claim, accuses ? suspects : null);
    orphaned.push(...ended.map((id) => ({ id, alone, owner, startedAt: claim.startedAt })));
  }
  context.suspects = new Map([...suspects].map(([id, { orphaned: times }]) => [id, times]));
  return orphaned;
}

export async function readSuspects({ room: { own }, outbox }: RelayContext): Promise<Map<string, SuspectDoc>> {
  const records = await allRecords<SuspectDoc>(own, { pk: PARTITIONS.suspects(outbox) });
  return new Map(records.map(({ sk, doc }) => [sk, doc]));
}

/**
 * Returns the messages that were still in flight. Reads the claim again after a concurrent settle, which changes it.
 */
async function endClaim(
  context: RelayContext,
  claim: HeldClaim,
  suspects: Map<string, SuspectDoc> | null,
): Promise<string[]> {
  const { room, outbox } = context;
  const ended: string[] = [];
  let left = claim.left;
  for (;;) {
    const some = left.slice(0, AT_ONCE);
    const isLast = some.length === left.length;
    const accused = suspects ? await accuse(context, claim, { ids: some, suspects }) : { writes: [], docs: [] };
    try {
      await transactPatiently(room.link, [
        shrinkOrEnd(room.own.name, outbox, { claim, some, isLast }),
        ...accused.writes,
      ]);
    } catch (error) {
      // The claim, or our record of a message, has changed since it was read.
      if (!cancelledBy(error)?.failed.length) throw error;
      const now = (await readRelayState(room.own, outbox)).claims.find(({ sk }) => sk === claim.sk);
      if (!now) return ended;
      left = now.left;
      continue;
    }
    for (const [id, doc] of accused.docs) suspects?.set(id, doc);
    ended.push(...some);
    left = left.slice(AT_ONCE);
    if (isLast) return ended;
  }
}

/** Fails if one of them was settled meanwhile. */
function shrinkOrEnd(
  table: string,
  outbox: string,
  { claim, some, isLast }: { claim: HeldClaim; some: readonly string[]; isLast: boolean },
): TransactWriteItem {
  const Key = keyItem({ pk: PARTITIONS.relay(outbox), sk: claim.sk });
  const untouched = some.map((_, place) => `NOT contains(done, :id${place})`);
  const ids = Object.fromEntries(some.map((id, place) => [`:id${place}`, { S: id }]));
  const values = { ...ids, ...(isLast ? {} : { ":ids": { SS: [...some] } }) };
  const common = {
    ...{ TableName: table, Key },
    ConditionExpression: ["attribute_exists(pk)", ...untouched].join(" AND "),
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
  };
  return isLast ? { Delete: common } : { Update: { ...common, UpdateExpression: "ADD done :ids" } };
}

async function accuse(
  context: RelayContext,
  { alone, owner, startedAt }: HeldClaim,
  { ids, suspects }: { ids: readonly string[]; suspects: ReadonlyMap<string, SuspectDoc> },
): Promise<{ writes: TransactWriteItem[]; docs: [string, SuspectDoc][] }> {
  const { room, outbox } = context;
  const items = await fetchItems(context, ids);
  const now = nowText(serverNowMs(room.link));
  const writes: TransactWriteItem[] = [];
  const docs: [string, SuspectDoc][] = [];
  for (const id of ids) {
    const item = items.get(id);
    if (!item || !isUnsent(context, item, now)) continue;
    const known = suspects.get(id);
    const identity = identityOf(context.mapping, item);
    // A new item with the key of an earlier one does not inherit its deaths. The last death may still be the earlier
    // one's.
    const isAnother = known?.identity !== undefined && known.identity !== identity;
    const doc: SuspectDoc = {
      orphaned: isAnother ? 1 : (known?.orphaned ?? 0) + 1,
      crashes: isAnother ? 0 : (known?.crashes ?? 0) + (alone ? 1 : 0),
      at: startedAt,
      identity,
    };
    docs.push([id, doc]);
    writes.push({
      Put: { TableName: room.own.name, Item: toItem({ ...suspectKey(outbox, id), doc, v: randomUUID() }) },
    });
    if (alone && !isAnother)
      writes.push(...(await crashWrites(context, { id, item, owner, startedAt, crashes: doc.crashes })));
  }
  return { writes, docs };
}
