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
  const { dead, archived, restored } = records;
  const found = { key, dead: dead.record, archived: archived.record, restored: restored.record, asOf };
  if (item) {
    const beside = { dead: found.dead ?? undefined, restored: found.restored ?? undefined };
    return { ...found, row: rowOfItem(ref, item, beside, asOf), place: "table", item };
  }
  if (found.archived)
    return { ...found, row: rowOfArchived(ref, found.archived, asOf), place: "archive", item: archived.image };
  if (found.dead?.doc.moved)
    return { ...found, row: rowOfDead(ref, found.dead, asOf), place: "dead_letter", item: dead.image };
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

interface Kept<Doc> {
  record: OwnRecord<Doc> | null;
  image: Item | null;
}

const NONE = { record: null, image: null };
const NOTHING = {
  dead: NONE as Kept<DeadDoc>,
  archived: NONE as Kept<ArchiveDoc>,
  restored: NONE as Kept<RestoredDoc>,
};

async function getRecords({ own, ref }: Room, id: string): Promise<typeof NOTHING> {
  const partitions = [PARTITIONS.dead(ref.name), PARTITIONS.archive(ref.name), PARTITIONS.restored(ref.name)];
  const { Responses: responses } = await own.link.client.send(
    new BatchGetItemCommand({
      RequestItems: { [own.name]: { Keys: partitions.map((pk) => keyItem({ pk, sk: id })), ConsistentRead: true } },
    }),
  );
  const items = responses?.[own.name] ?? [];
  const of = <Doc>(pk: string | undefined): Kept<Doc> => {
    const item = items.find((one) => one.pk?.S === pk);
    return item ? { record: fromItem<Doc>(item), image: item.image?.M ?? null } : NONE;
  };
  const [dead, archived, restored] = partitions;
  return { dead: of(dead), archived: of(archived), restored: of(restored) };
}
