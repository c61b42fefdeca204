import { AppError } from "#domain/errors.ts";
import { fingerprint } from "#domain/message/fingerprint.ts";
import { MARKED_DEAD, MOVED_DEAD, RECORDED_DEAD } from "../../shared/act/act-sentences.ts";
import { requireLeaving } from "../../shared/act/require-leaving.ts";
import type { DeadDoc } from "../items/moved.ts";
import { PARTITIONS, putIf, putImage } from "../own-table/own-table.ts";
import { movedVersion, summaryOf, versionOf } from "../read/message-row.ts";
import { forgetDelivery, putDelivery, retriedDelivery } from "./delivery-writes.ts";
import { changedItem, checkItem, deleteItem, updateItem } from "./item-writes.ts";
import { deadChanges } from "./native-changes.ts";
import type { Deed, Verb, VerbContext } from "./verb.ts";
import { requireNoImage, whyItemStays } from "./why-rows-stay.ts";

/** Marks a message dead in the first possible way: by the item's own attributes, by moving the item, in our table. */
export const deadLetterMessage: Verb = (context) => {
  const { room, found, table, v } = context;
  const { family, ref } = room;
  if (found.place !== "table" || !found.item) throw new AppError("not_found", "This message is not there any more.");
  const target = { table: family.table, mapping: ref.mapping, item: found.item };
  const changes = deadChanges(ref.mapping, found.item);
  if (changes) {
    const { dead, restored, delivery } = found;
    const kept = delivery && { ...delivery.doc, nextAttemptAt: null };
    const item = changedItem(found.item, changes);
    return {
      writes: [updateItem(target, changes), ...(kept ? [putDelivery(context, kept)] : [])],
      message: MARKED_DEAD,
      version: versionOf(item, { dead, restored, delivery: delivery && { v } }),
      stays: { item, beside: { dead: dead?.doc, delivery: kept } },
    };
  }
  const reason = whyItemStays(table, found.item);
  if (reason === null) {
    requireNoImage(found);
    return {
      writes: [
        ...[
          deleteItem(target),
          record(context, deadDoc(context, true)),
          putImage(room.own, ref.name, found.row.id, found.item),
        ],
        ...forgetDelivery(room, found),
      ],
      message: MOVED_DEAD,
      version: movedVersion(v),
      stays: null,
    };
  }
  requireLeaving(ref, reason);
  // This record makes our relay skip the item.
  const known = retriedDelivery(context);
  const delivery = known && { ...known, attempts: found.row.attempts ?? 0, nextAttemptAt: null };
  const dead = deadDoc(context, false);
  return {
    writes: [checkItem(target), record(context, dead), ...(delivery ? [putDelivery(context, delivery)] : [])],
    message: RECORDED_DEAD,
    version: versionOf(found.item, { dead: { v }, restored: found.restored, delivery: known && { v } }),
    stays: { item: found.item, beside: { dead, delivery } },
  };
};

function deadDoc({ room, found, request, at }: VerbContext, moved: boolean): DeadDoc {
  const { row, item } = found;
  return {
    moved,
    deadAt: at,
    deadBy: request.actor.name,
    attempts: row.attempts ?? 0,
    lastError: row.lastError,
    lastErrorCode: row.lastErrorCode,
    fingerprint:
      row.lastError === null
        ? null
        : fingerprint({ code: row.lastErrorCode ?? "unknown", error: row.lastError, eventType: row.eventType }),
    summary: summaryOf(room.ref.mapping, item ?? {}),
    ...(found.delivery ? { delivery: found.delivery.doc } : {}),
  };
}

function record({ room, found, v }: VerbContext, doc: DeadDoc): Deed["writes"][number] {
  const key = { pk: PARTITIONS.dead(room.ref.name), sk: found.row.id };
  return putIf(room.own, { ...key, doc, v }, found.dead?.v ?? null);
}
