import { AppError } from "#domain/errors.ts";
import { ARCHIVED, ARCHIVED_DEAD_LETTER } from "../../shared/act/act-sentences.ts";
import type { ArchiveDoc } from "../items/moved.ts";
import { deleteIf, PARTITIONS, putIf, putImage } from "../own-table/own-table.ts";
import { movedVersion, summaryOf } from "../read/message-row.ts";
import { forgetDelivery } from "./delivery-writes.ts";
import { deleteItem } from "./item-writes.ts";
import type { Verb } from "./verb.ts";
import { requireNoImage, whyItemStays } from "./why-rows-stay.ts";

/** Moves a message into our archive, as an exact image. */
export const archiveMessage: Verb = ({ room, found, request, table, at, v }) => {
  const { own, ref, family } = room;
  const { row, item, dead, delivery } = found;
  if (!item) throw new AppError("conflict", "The item of this message no longer exists; nothing was changed.");
  const isDeadLetter = found.place === "dead_letter";
  const reason = isDeadLetter ? null : whyItemStays(table, item);
  if (reason !== null) throw new AppError("wrong_state", `This message cannot be archived: ${reason}.`);
  if (!isDeadLetter) requireNoImage(found);
  const doc: ArchiveDoc = {
    stateBefore: row.state,
    archivedAt: at,
    archivedBy: request.actor.name,
    reason: request.reason,
    dead: dead?.doc ?? null,
    attempts: row.attempts ?? 0,
    lastError: row.lastError,
    summary: isDeadLetter && dead ? dead.doc.summary : summaryOf(ref.mapping, item),
    ...(delivery ? { delivery: delivery.doc } : {}),
  };
  const key = { pk: PARTITIONS.archive(ref.name), sk: row.id };
  const forgotten = dead ? [deleteIf(own, { pk: PARTITIONS.dead(ref.name), sk: row.id }, dead.v)] : [];
  const removed = isDeadLetter
    ? []
    : [deleteItem({ table: family.table, mapping: ref.mapping, item }), putImage(own, ref.name, row.id, item)];
  return {
    writes: [putIf(own, { ...key, doc, v }, null), ...forgotten, ...removed, ...forgetDelivery(room, found)],
    message: isDeadLetter ? ARCHIVED_DEAD_LETTER : ARCHIVED,
    version: movedVersion(v),
    stays: null,
  };
};
