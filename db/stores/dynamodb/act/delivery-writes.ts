import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { deleteIf, putIf } from "../own-table/own-table.ts";
import { type DeliveryDoc, deliveryKey } from "../own-table/relay-docs.ts";
import type { FoundMessage } from "../read/find-message.ts";
import { candidateOf } from "../relay/read-item.ts";
import type { Room } from "../room.ts";
import type { VerbContext } from "./verb.ts";

/** Deletes our record of a message's failures, together with its item. */
export function forgetDelivery({ own, ref }: Room, { row, delivery }: FoundMessage): TransactWriteItem[] {
  return delivery ? [deleteIf(own, deliveryKey(ref.name, row.id), delivery.v)] : [];
}

export function putDelivery({ room: { own, ref }, found, v }: VerbContext, doc: DeliveryDoc): TransactWriteItem {
  return putIf(own, { ...deliveryKey(ref.name, found.row.id), doc, v }, found.delivery?.v ?? null);
}

/**
 * The record by which our relay finds a message that an operator has retried, although its reads have passed it: due
 * now, with 0 attempts. The errors of its failures are kept. Null for a message without an item.
 */
export function retriedDelivery({ room, found, at }: VerbContext): DeliveryDoc | null {
  const { item, row, delivery, dead } = found;
  if (!item) return null;
  const { aggregateKey, order } = candidateOf({ mapping: room.ref.mapping, lanes: true }, item);
  const none = { firstErrorCode: null, firstError: null, firstFailedAt: null };
  const noLast = { lastErrorCode: null, lastError: null, lastFailedAt: null, fingerprint: null };
  return {
    ...{ ...none, ...noLast, ...(delivery?.doc ?? dead?.doc.delivery) },
    ...{ aggregateKey, order, eventType: row.eventType, createdAt: row.createdAt, attempts: 0, nextAttemptAt: at },
  };
}
