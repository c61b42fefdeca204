import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { Head } from "../../../port/relay/head.ts";
import type { SettleEntry, SettleRequest, SettleResult } from "../../../port/relay/settle.ts";
import { CommitInDoubtError } from "../../../shared/connection/commit-in-doubt-error.ts";
import { clearedSuspects, latencies } from "../../../shared/relay/settle-entries.ts";
import { cancelledBy } from "../../connection/cancelled.ts";
import { countAction } from "../../own-table/announced-actions.ts";
import { keyItem } from "../../own-table/own-table.ts";
import { claimKey } from "../../own-table/relay-docs.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { transactPatiently } from "../patient-transaction.ts";
import type { RelayContext } from "../relay-context.ts";
import { type EntryWrites, entryWrites } from "./entry-writes.ts";
import { sortOut } from "./sort-out.ts";

/** DynamoDB takes 100 writes in a transaction; one more is the claim's. */
const MOST_WRITES = 95;
/** Counted so high that few share a transaction: their items may be moved, and a transaction takes at most 4 MB. */
const DEAD_COST = 24;
const TRIES = 6;

/** Of one claim. */
interface Batch {
  token: string;
  entries: readonly SettleEntry[];
  ends: boolean;
}

/**
 * Writes outcomes; see RelayTable.settle. Each transaction requires that the claim still exists, and for failures that
 * it still contains the message: once a takeover or an operator has ended the claim, a late settle writes nothing.
 * DynamoDB takes 100 writes in one transaction, so a large settle has several: if a later one fails, its outcomes are
 * in doubt and are settled again.
 */
export async function settle(context: RelayContext, request: SettleRequest): Promise<SettleResult> {
  const result: SettleResult = { published: [], fenced: [], foreign: [], replaced: [], latenciesMs: [] };
  const tokens = [...new Set([...request.entries.map(({ token }) => token), ...request.endedTokens])];
  let isFirst = true;
  for (const token of tokens) {
    const entries = request.entries.filter((entry) => entry.token === token);
    for (const batch of batchesOf(token, entries, request.endedTokens.includes(token))) {
      const settled = await settleBatch(context, request, batch).catch((error: unknown) => {
        context.deliveries.forget();
        throw isFirst ? error : new CommitInDoubtError(error, "Only a part of the outcomes was written.");
      });
      isFirst = false;
      for (const key of ["published", "fenced", "foreign", "replaced", "latenciesMs"] as const)
        (result[key] as unknown[]).push(...settled[key]);
    }
  }
  return result;
}

/** Batches of at most MOST_WRITES writes; the last batch ends the claim. */
function batchesOf(token: string, entries: readonly SettleEntry[], ends: boolean): Batch[] {
  const parts: SettleEntry[][] = [[]];
  let writes = 0;
  for (const entry of entries) {
    const cost = costOf(entry);
    if (writes + cost > MOST_WRITES) {
      parts.push([]);
      writes = 0;
    }
    parts.at(-1)?.push(entry);
    writes += cost;
  }
  return parts.map((part, place) => ({ token, entries: part, ends: ends && place === parts.length - 1 }));
}

/** Most writes that an outcome may take. */
function costOf({ outcome, message }: SettleEntry): number {
  if (outcome.kind === "given_back") return 0;
  if (outcome.kind === "published") return message.retried || message.attempts > 0 ? 5 : 2;
  return outcome.kind === "dead" ? DEAD_COST : 5;
}

async function settleBatch(context: RelayContext, request: SettleRequest, batch: Batch): Promise<SettleResult> {
  const { lease, afterDoubt } = request;
  const result: SettleResult = { published: [], fenced: [], foreign: [], replaced: [], latenciesMs: [] };
  let left: readonly SettleEntry[] = batch.entries;
  const marked: SettleEntry[] = [];
  for (let tried = 1; ; tried += 1) {
    const planned = await entryWrites(context, left);
    try {
      const claim = claimWrite(context, lease.epoch, { ...batch, entries: left });
      const { own } = context.room;
      const counted = planned.some(({ moves }) => moves) ? [countAction(own, context.outbox)] : [];
      const writes = [...planned.flatMap(({ writes: some }) => some), ...counted];
      if (claim) await transactPatiently(context.room.link, [claim, ...writes]);
      enter(context, planned);
      const published = [...marked, ...left.filter(({ outcome }) => outcome.kind === "published")];
      result.published = published.map(({ message }) => message.id);
      result.latenciesMs = latencies(published, serverNowMs(context.room.link));
      return result;
    } catch (error) {
      const cancelled = cancelledBy(error);
      if (tried === TRIES) throw error;
      if (cancelled?.tooLarge.length && noteFull(context, planned, cancelled.tooLarge)) continue;
      if (!cancelled?.failed.length) throw error;
      const sorted = await sortOut(context, { lease, token: batch.token, entries: left, afterDoubt });
      result.fenced.push(...sorted.fenced.map(({ message }) => message.id));
      result.foreign.push(...sorted.foreign.map(({ message }) => message.id));
      result.replaced.push(...sorted.replaced);
      await forgetReplaced(context, lease.epoch, batch.token, sorted.replaced);
      marked.push(...sorted.marked);
      left = sorted.open;
      if (sorted.claimGone) return { ...result, published: marked.map(({ message }) => message.id) };
    }
  }
}

/**
 * Notes the messages of writes that were too large, so that only what must be written is tried next. False if nothing
 * more can be left out. `places`: of the transaction, in which the claim's write is the first.
 */
function noteFull({ full }: RelayContext, planned: readonly EntryWrites[], places: readonly number[]): boolean {
  const owners = planned.flatMap(({ entry, writes }) => writes.map(() => entry.message.id));
  const found = places.flatMap((place) => owners[place - 1] ?? []).filter((id) => !full.has(id));
  for (const id of found) full.add(id);
  return found.length > 0;
}

/** Deletes the records of replaced messages: they do not belong to the items that now have their ids. */
async function forgetReplaced(
  { room, outbox, deliveries }: RelayContext,
  epoch: number,
  token: string,
  replaced: readonly Head[],
): Promise<void> {
  const known = replaced.map(({ id }) => id).filter((id) => deliveries.get(id) !== undefined);
  if (known.length === 0) return;
  const Key = keyItem(claimKey(outbox, epoch, token));
  const claim = {
    ConditionCheck: { TableName: room.own.name, Key, ConditionExpression: "attribute_exists(pk)" },
  };
  await transactPatiently(room.link, [claim, ...known.map((id) => deliveries.deleteWrite(id))]);
  for (const id of known) deliveries.delete(id);
}

/** Null if the claim stays as it is and no outcome is written with it. */
function claimWrite(
  { room: { own }, outbox }: RelayContext,
  epoch: number,
  { token, entries, ends }: Batch,
): TransactWriteItem | null {
  const Key = keyItem(claimKey(outbox, epoch, token));
  const failing = entries.filter(({ outcome }) => outcome.kind === "failed" || outcome.kind === "dead");
  const leaving = entries.filter(({ outcome }) => outcome.kind !== "published").map(({ message }) => message.id);
  const conditions = failing.map((_, place) => `NOT contains(done, :id${place})`);
  const ids = Object.fromEntries(failing.map(({ message }, place) => [`:id${place}`, { S: message.id }]));
  const ConditionExpression = ["attribute_exists(pk)", ...conditions].join(" AND ");
  const common = { TableName: own.name, Key, ConditionExpression };
  const values = Object.keys(ids).length > 0 ? { ExpressionAttributeValues: ids } : {};
  if (ends) return { Delete: { ...common, ...values } };
  if (leaving.length === 0) return entries.length === 0 ? null : { ConditionCheck: common };
  return {
    Update: {
      ...common,
      UpdateExpression: "ADD done :done",
      ExpressionAttributeValues: { ...ids, ":done": { SS: [...new Set(leaving)] } },
    },
  };
}

/** Enters the writes in memory. */
function enter(context: RelayContext, planned: readonly EntryWrites[]): void {
  for (const { entry, delivery } of planned) {
    if (delivery) context.deliveries.set(entry.message.id, delivery);
    else if (delivery === null) context.deliveries.delete(entry.message.id);
  }
  const entries = planned.map(({ entry }) => entry);
  for (const id of clearedSuspects(new Set(context.suspects.keys()), entries)) context.suspects.delete(id);
}
