import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { CRASHES_TO_DEAD_LETTER } from "#db/stores/shared/relay/quarantine.ts";
import { CRASH } from "#domain/failure.ts";
import type { Item } from "../../items/item.ts";
import { getRecord, putIf } from "../../own-table/own-table.ts";
import { type DeliveryDoc, deliveryKey } from "../../own-table/relay-docs.ts";
import { messageOf } from "../read-item.ts";
import type { RelayContext } from "../relay-context.ts";
import { attemptWrites } from "../settle/attempts.ts";
import { failureDoc } from "../settle/failure-doc.ts";

interface Crash {
  id: string;
  item: Item;
  /** The relay that died. */
  owner: string;
  startedAt: string;
  crashes: number;
}

/**
 * Records the attempt that a dead relay could not finish. The last one is recorded when the message is dead-lettered.
 * The record is read from the table: the one in memory may date from an earlier term, and without the earlier attempts
 * the message would be tried too often.
 */
export async function crashWrites(
  context: RelayContext,
  { id, item, owner, startedAt, crashes }: Crash,
): Promise<TransactWriteItem[]> {
  if (crashes >= CRASHES_TO_DEAD_LETTER) return [];
  const { room, deliveries, outbox } = context;
  const key = deliveryKey(outbox, id);
  const known = await getRecord<DeliveryDoc>(room.own, key);
  if (known) deliveries.set(id, known.doc);
  else deliveries.delete(id);
  const read = messageOf(context, item);
  const message = { ...read, attempts: Math.max(read.attempts, known?.doc.attempts ?? 0) };
  const outcome = {
    ...{ kind: "failed" as const, startedAt: new Date(startedAt), durationMs: null },
    ...{ failure: CRASH, nextAttemptInMs: 0 },
  };
  const doc = failureDoc(context, { token: "", message, outcome });
  deliveries.set(id, doc);
  const record = putIf(room.own, { ...key, doc, v: randomUUID() }, known?.v ?? null);
  return [record, ...attemptWrites(context, { message, outcome, relay: owner })];
}
