import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { type Lease, LeaseLostError } from "../../../port/relay/lease.ts";
import type { Refund } from "../../../port/relay/settle.ts";
import { writableWords } from "../../../shared/act/writable-words.ts";
import type { Changes } from "../../act/item-writes.ts";
import { cancelledBy } from "../../connection/cancelled.ts";
import { encodeInstant, nowText } from "../../items/instant.ts";
import { wordValue } from "../../items/word-value.ts";
import { deleteIf, getRecord, PARTITIONS, putIf, queryRecords, toItem } from "../../own-table/own-table.ts";
import { type AttemptDoc, type DeliveryDoc, deliveryKey } from "../../own-table/relay-docs.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { termLasts } from "../claim/take-messages.ts";
import { transactPatiently } from "../patient-transaction.ts";
import type { RelayContext } from "../relay-context.ts";
import { changeUnsent } from "./mark-writes.ts";

/** More tries than an operator's clicks in that time. */
const TRIES = 6;
/** More attempts than any message's history has. */
const MOST_ATTEMPTS = 1000;

/**
 * Refunds attempts that turned out to be the environment's fault: the message is due at once, and without other
 * attempts it counts as never failed. The attempts stay in the history as given back; what succeeded keeps its outcome.
 * Race: an operator's verb on the same message. It changes our record of the message's failures, so the writes require
 * that the record is unchanged since it was read; otherwise they would undo the click. They also require that the term
 * lasts: throws LeaseLostError, because the last attempt may be the next owner's.
 */
export async function undoAttempts(
  context: RelayContext,
  { lease, undo }: { lease: Lease; undo: readonly Refund[] },
): Promise<void> {
  for (const one of undo) {
    for (let tried = 1; !(await undoOne(context, lease, one)); tried += 1)
      if (tried === TRIES) throw new Error(`The record of message ${one.id} changes all the time.`);
  }
}

/** False if the record has changed since it was read: nothing was written. */
async function undoOne(context: RelayContext, lease: Lease, { id, tries, charged }: Refund): Promise<boolean> {
  const { room, outbox, deliveries } = context;
  const key = deliveryKey(outbox, id);
  const known = await getRecord<DeliveryDoc>(room.own, key);
  if (!known || known.doc.nextAttemptAt === null) return true;
  const { doc, v: was } = known;
  // An operator has retried it since: it is due, and its attempts count from 0.
  if (doc.attempts < charged) return true;
  const left = Math.max(0, doc.attempts - charged);
  const now = nowText(serverNowMs(room.link));
  const next: DeliveryDoc | null = left === 0 ? null : { ...doc, attempts: left, nextAttemptAt: now };
  const pk = PARTITIONS.attemptsOf(outbox, id);
  const { records } = await queryRecords<AttemptDoc>(room.own, { pk, newestFirst: true, limit: MOST_ATTEMPTS });
  const failures = records.filter((one) => one.doc.outcome === "failed").slice(0, tries);
  const givenBack = failures.map(({ sk, doc: attempt, v }): TransactWriteItem => {
    const record = { pk, sk, doc: { ...attempt, outcome: "given_back" }, v };
    return { Put: { TableName: room.own.name, Item: toItem(record) } };
  });
  const record = next ? putIf(room.own, { ...key, doc: next, v: randomUUID() }, was) : deleteIf(room.own, key, was);
  try {
    await transactPatiently(room.link, [
      changeUnsent(context, { id }, undoChanges(context, left)),
      record,
      termLasts(context, lease),
      ...givenBack,
    ]);
  } catch (error) {
    const failed = cancelledBy(error)?.failed ?? [];
    if (failed.includes(2)) throw new LeaseLostError("The lease of this relay is over.");
    if (failed.includes(1)) return false;
    // Another program has published it, or removed it.
    if (failed.includes(0)) return true;
    throw error;
  }
  if (next) deliveries.set(id, next);
  else deliveries.delete(id);
  return true;
}

function undoChanges({ mapping, room }: RelayContext, attempts: number): Changes {
  const { columns, lifecycle } = mapping;
  const changes: Changes = {};
  if (columns.attempts) changes[columns.attempts.name] = { N: String(attempts) };
  if (columns.attempts && columns.availableAt) {
    const { name, time = { kind: "timestamptz" } } = columns.availableAt;
    changes[name] = encodeInstant(new Date(serverNowMs(room.link)), time);
  }
  const [pending] = lifecycle.kind === "status" && attempts === 0 ? writableWords(lifecycle, "pending") : [];
  if (lifecycle.kind === "status" && pending !== undefined)
    changes[lifecycle.column.name] = wordValue(lifecycle.column, pending);
  return changes;
}
