import { BatchGetItemCommand } from "@aws-sdk/client-dynamodb";
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
  const { mapping } = context;
  const keys = [...new Set(ids)].map((id) => keyOf(id, mapping)).filter((key) => key !== null);
  const batches: Item[][] = [];
  for (let at = 0; at < keys.length; at += BATCH) batches.push(keys.slice(at, at + BATCH));
  const found = new Map<string, Item>();
  for (let at = 0; at < batches.length; at += AT_ONCE) {
    const read = await Promise.all(batches.slice(at, at + AT_ONCE).map((batch) => fetchBatch(context, batch)));
    for (const item of read.flat()) found.set(idOf(item, mapping), item);
  }
  return found;
}

async function fetchBatch({ room }: Pick<RelayContext, "room">, keys: Item[]): Promise<Item[]> {
  const { family, link } = room;
  const found: Item[] = [];
  let wanted = keys;
  while (wanted.length > 0) {
    const answer = await link.client.send(
      new BatchGetItemCommand({ RequestItems: { [family.table]: { Keys: wanted, ConsistentRead: true } } }),
    );
    found.push(...(answer.Responses?.[family.table] ?? []));
    wanted = answer.UnprocessedKeys?.[family.table]?.Keys ?? [];
  }
  return found;
}
