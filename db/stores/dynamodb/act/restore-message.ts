import { AppError } from "#domain/errors.ts";
import { deleteIf, dropImage, PARTITIONS, putIf } from "../own-table/own-table.ts";
import { movedVersion, versionOf } from "../read/message-row.ts";
import { putDelivery } from "./delivery-writes.ts";
import { insertItem } from "./item-writes.ts";
import { rememberBack } from "./remember-back.ts";
import type { Verb } from "./verb.ts";

/** Puts an archived message back where it was, in its former state. Throws conflict if its key is in use again. */
export const restoreMessage: Verb = (context) => {
  const { room, found, v } = context;
  const { own, ref, family } = room;
  const { row, item, archived } = found;
  if (!archived || !item) throw new AppError("not_found", "This message is not in the archive any more.");
  const { stateBefore, dead } = archived.doc;
  const taken = deleteIf(own, { pk: PARTITIONS.archive(ref.name), sk: row.id }, archived.v);
  const message = `Restored as ${stateBefore}.`;
  const deadKey = { pk: PARTITIONS.dead(ref.name), sk: row.id };
  if (dead?.moved) {
    const letter = putIf(own, { ...deadKey, doc: dead, v }, null);
    return { writes: [letter, taken], message, version: movedVersion(v), stays: null };
  }
  const back = insertItem({ table: family.table, mapping: ref.mapping, item });
  const { delivery } = archived.doc;
  const beside = [
    ...(dead ? [putIf(own, { ...deadKey, doc: dead, v }, null)] : []),
    ...(delivery ? [putDelivery(context, delivery)] : []),
  ];
  return {
    writes: [back, ...beside, taken, dropImage(own, ref.name, row.id), rememberBack(context)],
    message,
    version: versionOf(item, { dead: dead ? { v } : null, restored: { v }, delivery: delivery ? { v } : null }),
    stays: { item, beside: { dead, delivery } },
  };
};
