import { BatchGetItemCommand, GetItemCommand } from "@aws-sdk/client-dynamodb";
import type { MessageRow } from "../../port/message-row.ts";
import { nowText } from "../items/instant.ts";
import type { Item } from "../items/item.ts";
import { keyOf } from "../items/message-key.ts";
import type { ArchiveDoc, DeadDoc, RestoredDoc } from "../items/moved.ts";
import { isOfFamily } from "../items/read-items.ts";
import { fromItem, keyItem, type OwnRecord, PARTITIONS } from "../own-table/own-table.ts";
import type { Room } from "../room.ts";
import { rowOfArchived, rowOfDead, rowOfItem } from "./message-row.ts";
import { tableMissing } from "./outbox-view.ts";

/** A message, where it is, and every record that an action on it depends on. */
export interface FoundMessage {
  row: MessageRow;
  place: "table" | "dead_letter" | "archive";
  key: Item;
  /** The item in the team's table, or the image in ours. */
  item: Item | null;
  dead: OwnRecord<DeadDoc> | null;
  archived: OwnRecord<ArchiveDoc> | null;
  restored: OwnRecord<RestoredDoc> | null;
  asOf: string;
}

/** Reads consistently, by key. Undefined if it is nowhere. Throws not_found for an id that encodes no key. */
export async function findMessage(room: Room, id: string): Promise<FoundMessage | undefined> {
  const { ref } = room;
  const key = keyOf(id, ref.mapping);
  if (!key) return undefined;
  const asOf = nowText();
  const [item, records] = await Promise.all([getItem(room, key), ref.storeSide ? getRecords(room, id) : NOTHING]);
  const { image, ...ours } = records;
  const found = { key, ...ours, asOf };
  if (item) {
    const beside = { dead: ours.dead ?? undefined, restored: ours.restored ?? undefined };
    return { ...found, row: rowOfItem(ref, item, beside, asOf), place: "table", item };
  }
  if (ours.archived) return { ...found, row: rowOfArchived(ref, ours.archived, asOf), place: "archive", item: image };
  if (ours.dead?.doc.moved)
    return { ...found, row: rowOfDead(ref, ours.dead, asOf), place: "dead_letter", item: image };
  return undefined;
}

async function getItem({ link, family }: Room, key: Item): Promise<Item | null> {
  try {
    const { Item: item } = await link.read((client) =>
      client.send(
        new GetItemCommand({
          TableName: family.table,
          Key: key,
          ConsistentRead: true,
          ReturnConsumedCapacity: "TOTAL",
        }),
      ),
    );
    if (!item || family.keyPrefix === undefined) return item ?? null;
    const table = await link.describe(family.table);
    return table && isOfFamily(item, family, table) ? item : null;
  } catch (error) {
    if (error instanceof Error && error.name === "ResourceNotFoundException") throw tableMissing(family.table);
    throw error;
  }
}

interface Records {
  dead: OwnRecord<DeadDoc> | null;
  archived: OwnRecord<ArchiveDoc> | null;
  restored: OwnRecord<RestoredDoc> | null;
  image: Item | null;
}

const NOTHING: Records = { dead: null, archived: null, restored: null, image: null };

async function getRecords({ own, ref }: Room, id: string): Promise<Records> {
  const { dead, archive, restored, images } = PARTITIONS;
  const partitions = [dead, archive, restored, images].map((partition) => partition(ref.name));
  const { Responses: responses } = await own.link.client.send(
    new BatchGetItemCommand({
      RequestItems: { [own.name]: { Keys: partitions.map((pk) => keyItem({ pk, sk: id })), ConsistentRead: true } },
    }),
  );
  const of = (pk: string) => (responses?.[own.name] ?? []).find((item) => item.pk?.S === pk);
  const record = <Doc>(item: Item | undefined) => (item ? fromItem<Doc>(item) : null);
  return {
    dead: record<DeadDoc>(of(dead(ref.name))),
    archived: record<ArchiveDoc>(of(archive(ref.name))),
    restored: record<RestoredDoc>(of(restored(ref.name))),
    image: of(images(ref.name))?.image?.M ?? null,
  };
}
