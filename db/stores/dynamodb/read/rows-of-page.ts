import type { MessageRow } from "../../port/message-row.ts";
import { batchGet } from "../connection/batch-get.ts";
import type { Item } from "../items/item.ts";
import { idOf, keyFrom } from "../items/message-key.ts";
import type { DeadDoc, RestoredDoc } from "../items/moved.ts";
import { fromItem, keyItem, type OwnRecord, PARTITIONS } from "../own-table/own-table.ts";
import type { DeliveryDoc } from "../own-table/relay-docs.ts";
import type { Room } from "../room.ts";
import { rowOfItem } from "./message-row.ts";
import { claimsById, type Entry, type OutboxView } from "./outbox-view.ts";

/** Our records of messages whose items are in the team's table, by id. */
interface Records {
  dead: ReadonlyMap<string, OwnRecord<DeadDoc>>;
  restored: ReadonlyMap<string, OwnRecord<RestoredDoc>>;
  deliveries: ReadonlyMap<string, OwnRecord<DeliveryDoc>>;
}

/**
 * The rows of one page, whose versions an action compares. Reads by key what the reading did not have: the items, if the
 * index lacks attributes, and our records, if there were more of them than one reading takes.
 */
export async function rowsOfPage(room: Room, view: OutboxView, page: readonly Entry[]): Promise<MessageRow[]> {
  const { mapping } = room.ref;
  const inTable = page.flatMap(({ row, item }) => (item ? [{ id: row.id, item }] : []));
  const lacksAttributes = view.fromIndex && !view.whole;
  if ((!lacksAttributes && hasAllRecords(view)) || inTable.length === 0) return page.map(({ row }) => row);
  const items = lacksAttributes ? await itemsOf(room, inTable) : new Map(inTable.map(({ id, item }) => [id, item]));
  const { dead, restored, deliveries } = hasAllRecords(view)
    ? recordsOf(view)
    : await recordsByKey(
        room,
        inTable.map(({ id }) => id),
      );
  const claims = claimsById(view.kept.claims);
  return page.flatMap(({ row, item }) => {
    if (!item) return [row];
    const found = items.get(row.id);
    if (!found) return [];
    const id = idOf(found, mapping);
    const ours = { dead: dead.get(id), restored: restored.get(id), delivery: deliveries.get(id) };
    return [{ ...rowOfItem(room.ref, found, { ...ours, claim: claims.get(id) }, view.asOf), blockedBy: row.blockedBy }];
  });
}

function hasAllRecords({ kept: { dead, restored, deliveries } }: OutboxView): boolean {
  return dead.complete && restored.complete && deliveries.complete;
}

/** As they are now, because an index lags behind its table. */
async function itemsOf({ link, family, ref }: Room, page: readonly { item: Item }[]): Promise<Map<string, Item>> {
  const keys = page.map(({ item }) => keyFrom(item, ref.mapping));
  const onCost = (units: number) => link.budget.take(units);
  const items = await batchGet(link, { table: family.table, keys, onCost });
  return new Map(items.map((item) => [idOf(item, ref.mapping), item]));
}

function recordsOf({ kept }: OutboxView): Records {
  const byId = <Doc>(records: readonly OwnRecord<Doc>[]) => new Map(records.map((record) => [record.sk, record]));
  return {
    dead: byId(kept.dead.records.filter(({ doc }) => !doc.moved)),
    restored: byId(kept.restored.records),
    deliveries: byId(kept.deliveries.records),
  };
}

async function recordsByKey({ own, ref }: Room, ids: readonly string[]): Promise<Records> {
  const read = async <Doc>(pk: string): Promise<OwnRecord<Doc>[]> => {
    const keys = ids.map((sk) => keyItem({ pk, sk }));
    return (await batchGet(own.link, { table: own.name, keys })).map((item) => fromItem<Doc>(item));
  };
  const byId = <Doc>(records: readonly OwnRecord<Doc>[]) => new Map(records.map((record) => [record.sk, record]));
  const [dead, restored, deliveries] = await Promise.all([
    read<DeadDoc>(PARTITIONS.dead(ref.name)),
    read<RestoredDoc>(PARTITIONS.restored(ref.name)),
    read<DeliveryDoc>(PARTITIONS.deliveries(ref.name)),
  ]);
  return { dead: byId(dead.filter(({ doc }) => !doc.moved)), restored: byId(restored), deliveries: byId(deliveries) };
}
