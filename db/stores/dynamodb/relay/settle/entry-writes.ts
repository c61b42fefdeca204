import { randomUUID } from "node:crypto";
import { GetItemCommand, type TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { cutText } from "#domain/text/cut-text.ts";
import type { SettleEntry } from "../../../port/relay/settle.ts";
import { isSameMessage } from "../../../shared/relay/same-message.ts";
import { isTrouble, type TroubleEntry } from "../../../shared/relay/settle-entries.ts";
import { deleteItem } from "../../act/item-writes.ts";
import { deadChanges } from "../../act/native-changes.ts";
import { whyItemStays } from "../../act/why-rows-stay.ts";
import type { Item } from "../../items/item.ts";
import type { DeadDoc } from "../../items/moved.ts";
import { keyItem, PARTITIONS, putImage, toItem } from "../../own-table/own-table.ts";
import { holdWrites } from "../../own-table/pauses.ts";
import { type DeliveryDoc, suspectKey } from "../../own-table/relay-docs.ts";
import { summaryOf } from "../../read/message-row.ts";
import { fetchItems } from "../fetch-items.ts";
import { messageOf } from "../read-item.ts";
import type { RelayContext } from "../relay-context.ts";
import { attemptWrites } from "./attempts.ts";
import { failureDoc } from "./failure-doc.ts";
import { changeUnsent, failureChanges, markWrite } from "./mark-writes.ts";

/** The writes of one outcome. The first, if there is any, requires that the message is unsent still. */
export interface EntryWrites {
  entry: SettleEntry;
  writes: TransactWriteItem[];
  /** Its item leaves the team's table for ours. */
  moves?: boolean;
  /** The record in memory afterwards; undefined if it does not change. */
  delivery?: DeliveryDoc | null;
}

/** Returns the writes of the entries, without performing them. */
export async function entryWrites(context: RelayContext, entries: readonly SettleEntry[]): Promise<EntryWrites[]> {
  const images = await imagesOf(context, entries);
  return entries.map((entry) => {
    const { outcome, message } = entry;
    if (outcome.kind === "given_back") return { entry, writes: [] };
    const cleared = context.suspects.has(message.id) ? [forgetSuspectWrite(context, message.id)] : [];
    if (isTrouble(entry)) {
      const { writes, delivery } = troubleWrites(context, entry, images.get(message.id));
      return { entry, delivery, writes: [...writes, ...cleared], moves: images.has(message.id) };
    }
    const mark = markWrite(context, message);
    if (!isRetried(context, entry)) return { entry, writes: [mark, ...cleared] };
    const forgotten = context.deliveries.deleteWrite(message.id);
    const attempt = outcome.kind === "published" ? attemptWrites(context, { message, outcome }) : [];
    return { entry, delivery: null, writes: [mark, forgotten, ...attempt, ...cleared] };
  });
}

function isRetried({ deliveries }: RelayContext, { message }: SettleEntry): boolean {
  return message.retried === true || message.attempts > 0 || deliveries.get(message.id) !== undefined;
}

function forgetSuspectWrite({ room: { own }, outbox }: RelayContext, id: string): TransactWriteItem {
  return { Delete: { TableName: own.name, Key: keyItem(suspectKey(outbox, id)) } };
}

function troubleWrites(
  context: RelayContext,
  entry: TroubleEntry,
  image: Item | undefined,
): { writes: TransactWriteItem[]; delivery: DeliveryDoc | null } {
  const { message, outcome } = entry;
  const { room, outbox, mapping } = context;
  const doc = failureDoc(context, entry);
  const attempt = attemptWrites(context, { message, outcome });
  const native = deadChanges(mapping, null) !== null;
  if (outcome.kind === "dead" && !native) {
    const letter = deadLetter(context, entry, doc, image);
    if (image) {
      const gone = deleteItem({ table: room.family.table, mapping, item: image });
      const kept = putImage(room.own, outbox, message.id, image);
      const writes = [
        gone,
        letter,
        kept,
        context.deliveries.deleteWrite(message.id),
        ...attempt,
        ...held(context, entry),
      ];
      return { writes, delivery: null };
    }
    const check = changeUnsent(context, message, failureChanges(context, entry, false));
    const beside = context.deliveries.putWrite(message.id, doc);
    return { writes: [check, letter, beside, ...attempt, ...held(context, entry)], delivery: doc };
  }
  const change = changeUnsent(context, message, failureChanges(context, entry, native));
  const record = context.deliveries.putWrite(message.id, doc);
  return { writes: [change, record, ...attempt, ...held(context, entry)], delivery: doc };
}

function held(context: RelayContext, { message, outcome }: TroubleEntry): TransactWriteItem[] {
  const { settings, room, outbox } = context;
  if (settings.onDead !== "hold" || outcome.kind !== "dead" || message.aggregateKey === null) return [];
  const [line = ""] = outcome.failure.message.split("\n");
  const reason = `message ${message.eventId} is dead (${cutText(line, 200)})`;
  return holdWrites(room.own, { outbox, subject: message.aggregateKey, reason, messageId: message.id });
}

function deadLetter(
  { room: { own }, outbox, mapping }: RelayContext,
  { message }: TroubleEntry,
  delivery: DeliveryDoc,
  image: Item | undefined,
): TransactWriteItem {
  const { eventType, aggregateType, aggregateId, createdAt, payload } = message;
  const summary = image
    ? summaryOf(mapping, image)
    : {
        ...{ eventType, aggregateType, aggregateId, createdAt, publishedAt: null },
        payloadBytes: payload === null ? null : Buffer.byteLength(payload),
      };
  const doc: DeadDoc = {
    moved: image !== undefined,
    deadAt: delivery.lastFailedAt ?? "",
    deadBy: "relay",
    attempts: delivery.attempts,
    lastError: delivery.lastError,
    lastErrorCode: delivery.lastErrorCode,
    fingerprint: delivery.fingerprint,
    summary,
    delivery,
  };
  return {
    Put: { TableName: own.name, Item: toItem({ pk: PARTITIONS.dead(outbox), sk: message.id, doc, v: randomUUID() }) },
  };
}

/** Items of dead messages that leave their table. Items that could not be put back unchanged stay. */
async function imagesOf(context: RelayContext, entries: readonly SettleEntry[]): Promise<Map<string, Item>> {
  const { room, mapping, outbox } = context;
  const dead = new Map(
    entries.flatMap(({ outcome, message }) => (outcome.kind === "dead" ? [[message.id, message] as const] : [])),
  );
  if (dead.size === 0 || deadChanges(mapping, null) !== null) return new Map();
  const table = await room.link.describe(room.family.table);
  const items = await fetchItems(context, [...dead.keys()]);
  for (const [id, item] of items) {
    const message = dead.get(id);
    // A new item with the key is not moved; the write that expects the claimed item fails, and `sortOut` finds the
    // reason.
    if (message && !isSameMessage(messageOf(context, item), message)) {
      items.delete(id);
      continue;
    }
    const kept = await isKept(context, PARTITIONS.images(outbox), id);
    if (kept || whyItemStays(table, item) !== null) items.delete(id);
  }
  return items;
}

/** An earlier item of the same key must not be overwritten. */
async function isKept({ room: { own } }: RelayContext, pk: string, sk: string): Promise<boolean> {
  const found = await own.link.client.send(
    new GetItemCommand({ TableName: own.name, Key: keyItem({ pk, sk }), ConsistentRead: true }),
  );
  return found.Item !== undefined;
}
