import { batchGet } from "../connection/batch-get.ts";
import type { Item } from "../items/item.ts";
import { idOf, keyOf } from "../items/message-key.ts";
import type { RelayContext } from "./relay-context.ts";

const BATCH = 100;
const AT_ONCE = 4;

/** The items of these ids as they are now, by id; consistent. One that is gone is missing. */
export async function fetchItems(
  context: Pick<RelayContext, "room" | "mapping">,
  ids: readonly string[],
): Promise<Map<string, Item>> {
  const { mapping, room } = context;
  const keys = [...new Set(ids)].map((id) => keyOf(id, mapping)).filter((key) => key !== null);
  const batches: Item[][] = [];
  for (let at = 0; at < keys.length; at += BATCH) batches.push(keys.slice(at, at + BATCH));
  const found = new Map<string, Item>();
  for (let at = 0; at < batches.length; at += AT_ONCE) {
    const read = await Promise.all(
      batches.slice(at, at + AT_ONCE).map((batch) => batchGet(room.link, { table: room.family.table, keys: batch })),
    );
    for (const item of read.flat()) found.set(idOf(item, mapping), item);
  }
  return found;
}
