import { setTimeout as delay } from "node:timers/promises";
import { GetItemCommand, TransactGetItemsCommand } from "@aws-sdk/client-dynamodb";
import type { Place } from "#db/stores/shared/read/found-message.ts";
import { isAppError } from "#domain/errors.ts";
import type { MessageRow } from "../../port/message-row.ts";
import { cancelledBy } from "../connection/cancelled.ts";
import { tenAtATime } from "../connection/ten-at-a-time.ts";
import { nowText } from "../items/instant.ts";
import { type Item, textOf } from "../items/item.ts";
import { keyOf } from "../items/message-key.ts";
import type { ArchiveDoc, DeadDoc, RestoredDoc } from "../items/moved.ts";
import { isOfFamily } from "../items/read-items.ts";
import { fromItem, keyItem, type OwnRecord, PARTITIONS } from "../own-table/own-table.ts";
import type { DeliveryDoc } from "../own-table/relay-docs.ts";
import { type HeldClaim, type RelayState, readRelayState, serverNowMs } from "../own-table/terms.ts";
import type { Room } from "../room.ts";
import { rowOfArchived, rowOfDead, rowOfItem } from "./message-row.ts";
import { tableMissing } from "./outbox-view.ts";

/** A message, where it is, and every record that an action on it depends on. */
export interface FoundMessage {
  row: MessageRow;
  place: Place;
  key: Item;
  /** The item in the team's table, or the image in ours. */
  item: Item | null;
  /** The message's own record, not that of an earlier message with its key. */
  dead: OwnRecord<DeadDoc> | null;
  archived: OwnRecord<ArchiveDoc> | null;
  restored: OwnRecord<RestoredDoc> | null;
  delivery: OwnRecord<DeliveryDoc> | null;
  /** Claims that hold it; at most one of them lives. */
  claims: HeldClaim[];
  /** A relay of ours has published this outbox. */
  relayed: boolean;
  /** Our table keeps an earlier item of the same key. */
  keepsEarlier: boolean;
  asOf: string;
}

/** As `findMessage`, of several ids; those that are nowhere are missing in the answer. Ten at a time. */
export async function findMessages(room: Room, ids: readonly string[]): Promise<MessageRow[]> {
  const rows: MessageRow[] = [];
  for (let from = 0; from < ids.length; from += 10) {
    const state = await relayStateOf(room);
    const found = await Promise.all(ids.slice(from, from + 10).map((id) => findIfAny(room, id, state)));
    rows.push(...found.flatMap((one) => one?.row ?? []));
  }
  return rows;
}

/** As findMessage; undefined for an id that encodes no key. */
async function findIfAny(room: Room, id: string, state: RelayState | null): Promise<FoundMessage | undefined> {
  try {
    return await findMessage(room, id, state);
  } catch (error) {
    if (isAppError(error) && error.code === "not_found") return undefined;
    throw error;
  }
}

/** The id role's text by message id, of the messages in the table. */
export async function readEventIds(room: Room, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { name } = room.ref.mapping.columns.id;
  const found = new Map<string, string>();
  for (const { id, message } of await findEach(room, ids)) {
    const eventId = message?.place === "table" ? textOf(message.item?.[name]) : null;
    if (eventId !== null) found.set(id, eventId);
  }
  return found;
}

/**
 * Each of the ids with its message, undefined where there is none. Ten at a time, and the relays' claims once, so that
 * a large list leaves connections to others; a claim that begins meanwhile is not seen.
 */
export async function findEach(
  room: Room,
  ids: readonly string[],
): Promise<{ id: string; message: FoundMessage | undefined }[]> {
  const state = await relayStateOf(room);
  return tenAtATime(ids, async (id) => ({ id, message: await findIfAny(room, id, state) }));
}

const relayStateOf = ({ ref, own }: Room) => (ref.storeSide ? readRelayState(own, ref.name) : null);

interface Records {
  item: Item | null;
  dead: OwnRecord<DeadDoc> | null;
  archived: OwnRecord<ArchiveDoc> | null;
  restored: OwnRecord<RestoredDoc> | null;
  delivery: OwnRecord<DeliveryDoc> | null;
  image: Item | null;
}

/**
 * Reads by key, all of one moment. Undefined if it is nowhere. Throws not_found for an id that encodes no key. `known`:
 * the relays' claims, if they were read a moment ago.
 */
export async function findMessage(
  room: Room,
  id: string,
  known?: RelayState | null,
): Promise<FoundMessage | undefined> {
  const { ref } = room;
  const key = keyOf(id, ref.mapping);
  if (!key) return undefined;
  // Read before the item, because an item that is settled meanwhile shows its own outcome.
  const state = known === undefined ? await relayStateOf(room) : known;
  const asOf = nowText(serverNowMs(room.link));
  const claims = state?.claims.filter(({ left }) => left.includes(id)) ?? [];
  const relayed = state !== null && state.leases !== null;
  const { item, image, dead, archived, restored, delivery } = await readRecords(room, key, id);
  const keepsEarlier = item !== null && (archived !== null || dead?.doc.moved === true);
  const found = { key, archived, restored, delivery, claims, relayed, keepsEarlier, asOf };
  if (item) {
    const own = dead?.doc.moved ? null : dead;
    const ours = { delivery: delivery ?? undefined, claim: claims.find(({ lives }) => lives) ?? claims[0] };
    const beside = { dead: own ?? undefined, restored: restored ?? undefined, ...ours };
    return { ...found, dead: own, row: rowOfItem(ref, item, beside, asOf), place: "table", item };
  }
  if (archived) return { ...found, dead, row: rowOfArchived(ref, archived, asOf), place: "archive", item: image };
  if (dead?.doc.moved) return { ...found, dead, row: rowOfDead(ref, dead, asOf), place: "dead_letter", item: image };
  return undefined;
}

async function readRecords(room: Room, key: Item, id: string): Promise<Records> {
  const { ref, family, link } = room;
  try {
    const items = ref.storeSide ? await getTogether(room, key, id) : [await getAlone(room, key)];
    const [item, dead, archived, restored, delivery, image] = items;
    return {
      item: item && (await isOurs(item)) ? item : null,
      dead: dead ? fromItem<DeadDoc>(dead) : null,
      archived: archived ? fromItem<ArchiveDoc>(archived) : null,
      restored: restored ? fromItem<RestoredDoc>(restored) : null,
      delivery: delivery ? fromItem<DeliveryDoc>(delivery) : null,
      image: image?.image?.M ?? null,
    };
  } catch (error) {
    if (error instanceof Error && error.name === "ResourceNotFoundException") throw tableMissing(family.table);
    throw error;
  }

  async function isOurs(item: Item): Promise<boolean> {
    if (family.keyPrefix === undefined) return true;
    const table = await link.describe(family.table);
    return table !== null && isOfFamily(item, family, table);
  }
}

async function getAlone({ link, family }: Room, key: Item): Promise<Item | undefined> {
  const input = { TableName: family.table, Key: key, ConsistentRead: true, ReturnConsumedCapacity: "TOTAL" } as const;
  return (await link.read((client) => client.send(new GetItemCommand(input)))).Item;
}

const TRIES = 20;
const TRY_EVERY_MS = 25;

/** Reads in one transaction, because a message that an action moves could otherwise be in both places or in none. */
async function getTogether({ link, family, own, ref }: Room, key: Item, id: string): Promise<(Item | undefined)[]> {
  const { dead, archive, restored, deliveries, images } = PARTITIONS;
  const ours = [dead, archive, restored, deliveries, images].map((partition) =>
    keyItem({ pk: partition(ref.name), sk: id }),
  );
  const command = new TransactGetItemsCommand({
    ReturnConsumedCapacity: "TOTAL",
    TransactItems: [
      { Get: { TableName: family.table, Key: key } },
      ...ours.map((Key) => ({ Get: { TableName: own.name, Key } })),
    ],
  });
  for (let tried = 1; ; tried += 1) {
    try {
      link.requireBudget();
      const { Responses: responses = [], ConsumedCapacity: costs = [] } = await link.client.send(command);
      const cost = costs.find(({ TableName: name }) => name === family.table || name?.endsWith(`/${family.table}`));
      link.budget.take(cost?.CapacityUnits ?? 0);
      return responses.map(({ Item: item }) => item);
    } catch (error) {
      if (!cancelledBy(error)?.conflict || tried === TRIES) throw error;
      await delay(TRY_EVERY_MS);
    }
  }
}
