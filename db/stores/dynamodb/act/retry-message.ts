import { AppError } from "#domain/errors.ts";
import { retriedSentence } from "../../shared/act/act-sentences.ts";
import { keyNames } from "../catalog/read-catalog.ts";
import { deleteIf, dropImage, PARTITIONS } from "../own-table/own-table.ts";
import { serverNowMs } from "../own-table/terms.ts";
import { versionOf } from "../read/message-row.ts";
import { readView } from "../read/outbox-view.ts";
import { laterPublished } from "../read/read-message.ts";
import { bareItemsMissing } from "../relay/waiting-index.ts";
import { forgetDelivery, putDelivery, retriedDelivery } from "./delivery-writes.ts";
import { changedItem, insertItem, updateItem } from "./item-writes.ts";
import { retryChanges, waitingMark } from "./native-changes.ts";
import { rememberBack } from "./remember-back.ts";
import type { Verb, VerbContext } from "./verb.ts";

/**
 * Makes a failed or dead message new again: attempts 0, due now. A dead letter goes back into its table. The item must
 * be in the index of waiting items, or no poller finds it.
 */
export const retryMessage: Verb = async (context) => {
  const { room, found } = context;
  const { family, ref, own } = room;
  if (!found.item) throw new AppError("conflict", "The item of this message no longer exists; nothing was changed.");
  const target = { table: family.table, mapping: ref.mapping, item: found.item };
  const indexKey = waitingKeyOf(context);
  const missing = bareItemsMissing(room, indexKey);
  if (missing !== null) throw new AppError("wrong_state", missing);
  const mark = waitingMark(family, indexKey, found.item);
  const changes = { ...retryChanges(ref.mapping, found.item, new Date(serverNowMs(own.link))), ...mark };
  const item = changedItem(found.item, changes);
  const forgotten = found.dead
    ? [deleteIf(own, { pk: PARTITIONS.dead(ref.name), sk: found.row.id }, found.dead.v)]
    : [];
  const write = found.place === "dead_letter" ? insertItem({ ...target, item }) : updateItem(target, changes);
  const delivery = found.relayed ? retriedDelivery(context) : null;
  const image = found.place === "dead_letter" ? [dropImage(own, ref.name, found.row.id)] : [];
  const unseen = indexKey !== null && mark === null && found.item[indexKey] === undefined;
  const warning = unseen
    ? ` It is not in the index ${family.waiting?.index}: a relay that polls it will not find it.`
    : "";
  return {
    writes: [
      ...[write, ...forgotten, ...image, rememberBack(context)],
      ...(delivery ? [putDelivery(context, delivery)] : forgetDelivery(room, found)),
    ],
    message: `${retriedSentence(await countLaterPublished(context))}${warning}`,
    version: versionOf(item, { restored: { v: context.v }, delivery: delivery ? { v: context.v } : null }),
    stays: { item, beside: { delivery } },
  };
};

/** The attribute that puts an item into the index of waiting items; null without such an index. */
function waitingKeyOf({ room, table }: VerbContext): string | null {
  const index = (table.GlobalSecondaryIndexes ?? []).find((one) => one.IndexName === room.family.waiting?.index);
  return index ? (keyNames(index.KeySchema)[0] ?? null) : null;
}

/** How many later messages of its aggregate were published; null if that is not known. */
async function countLaterPublished({ room, found }: VerbContext): Promise<number | null> {
  return found.row.aggregateId === null ? null : laterPublished(room, await readView(room), found);
}
