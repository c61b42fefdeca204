import { QueryCommand, type TableDescription } from "@aws-sdk/client-dynamodb";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { OrderKey } from "../../port/relay/outgoing-message.ts";
import { keyNames } from "../catalog/read-catalog.ts";
import type { Item } from "../items/item.ts";
import { idOf } from "../items/message-key.ts";
import { ofFamily } from "../items/read-items.ts";
import type { Room } from "../room.ts";
import { orderComparison } from "./compare-order.ts";
import { fetchItems } from "./fetch-items.ts";
import type { WaitingIndex } from "./index-shape.ts";
import { candidateOf } from "./read-item.ts";
import type { RelayContext } from "./relay-context.ts";
import { INDEX_START, type PartReader, readPart } from "./unsorted-part.ts";

/** Items of a page where a read needs few. */
const PAGE = 500;

/**
 * Sentence: why the index does not find every new item; null if it does. An item without the partition key of an index
 * is not in it.
 */
export function bareItemsMissing(
  { ref: { mapping, name }, family }: Pick<Room, "ref" | "family">,
  hash: string | null,
): string | null {
  const { lifecycle } = mapping;
  if (lifecycle.kind !== "status" || !lifecycle.pending.includes(null) || lifecycle.column.name !== hash) return null;
  return `The index ${family.waiting?.index} has no item without ${hash}, and lifecycle.pending of outbox ${name} has null: use an index of an attribute that every waiting item has.`;
}

export function waitingIndexOf(
  { room, mapping }: Pick<RelayContext, "room" | "mapping">,
  table: TableDescription,
): WaitingIndex | null {
  const wanted = room.family.waiting;
  const found = (table.GlobalSecondaryIndexes ?? []).find(({ IndexName: name }) => name === wanted?.index);
  if (!wanted || !found) return null;
  const [hash = "", range] = keyNames(found.KeySchema);
  const typeOf = (name: string) =>
    table.AttributeDefinitions?.find((one) => one.AttributeName === name)?.AttributeType ?? "S";
  const isOrder = range !== undefined && range === orderColumn(mapping).name && wanted.keys !== undefined;
  return {
    name: wanted.index,
    hash,
    hashType: typeOf(hash),
    sortedBy: isOrder ? { name: range, type: typeOf(range) } : null,
    keys: wanted.keys ?? null,
    whole: found.Projection?.ProjectionType === "ALL",
    tableHash: keyNames(table.KeySchema)[0] ?? "",
  };
}

export interface IndexRead {
  /** From this position on, itself included; null for the start. */
  after: OrderKey | null;
  backwards?: boolean;
  /** Items of a page. */
  pageItems?: number;
  /** Gets the capacity units of each page. */
  spent?: (units: number) => void;
  /** Whose place in an index without order is kept from read to read; if absent, the read begins at the start. */
  reader?: PartReader;
  /**
   * Called before the first item if these are a part of an index without order: items before any of them may be
   * missing.
   */
  cut?: () => void;
}

/** Waiting items in order, page by page as they are needed. Eventually consistent: the index follows the table. */
export async function* waitingItems(context: RelayContext, index: WaitingIndex, read: IndexRead): AsyncGenerator<Item> {
  const compare = orderComparison(context.mapping);
  const sign = read.backwards ? -1 : 1;
  const place = (item: Item) => candidateOf(context, item).order;
  const byPlace = (one: Item, other: Item) => sign * compare(place(one), place(other));
  const { after } = read;
  const isIn = (item: Item) => after === null || compare(place(item), after) >= 0;
  if (!index.sortedBy) {
    const { reader, spent } = read;
    const start = (reader && context.parts.get(reader)) ?? INDEX_START;
    const part = await readPart(context.room, index, { start, spent });
    if (part.isCut) read.cut?.();
    yield* (await wholeItems(context, index, part.items)).filter(isIn).sort(byPlace);
    // Not reached if the reader has found enough: its next read begins at the same place.
    if (reader) context.parts.set(reader, part.next);
    return;
  }
  const cursors = (index.keys ?? []).map((key) => new Cursor(context, index, key, read));
  for (;;) {
    await Promise.all(cursors.map((cursor) => cursor.fill()));
    const [next] = cursors
      .filter(({ head }) => head !== undefined)
      .sort((a, b) => byPlace(a.head as Item, b.head as Item));
    if (!next?.head) return;
    const item = next.take();
    if (isIn(item)) yield item;
  }
}

/** Items of one partition key, in the order of the index. */
class Cursor {
  readonly #context: RelayContext;
  readonly #index: WaitingIndex;
  readonly #key: string;
  readonly #read: IndexRead;
  #page: Item[] = [];
  #at = 0;
  #from: Item | undefined;
  #ended = false;

  constructor(context: RelayContext, index: WaitingIndex, key: string, read: IndexRead) {
    this.#context = context;
    this.#index = index;
    this.#key = key;
    this.#read = read;
  }

  get head(): Item | undefined {
    return this.#page[this.#at];
  }

  take(): Item {
    const item = this.#page[this.#at] as Item;
    this.#at += 1;
    return item;
  }

  /** Reads until there is a next item, or the end is reached. */
  async fill(): Promise<void> {
    while (this.head === undefined && !this.#ended) {
      const { room } = this.#context;
      const { Items = [], LastEvaluatedKey, ConsumedCapacity } = await room.link.client.send(this.#query());
      this.#read.spent?.(ConsumedCapacity?.CapacityUnits ?? 0);
      this.#page = await wholeItems(this.#context, this.#index, Items);
      this.#at = 0;
      this.#from = LastEvaluatedKey;
      this.#ended = LastEvaluatedKey === undefined;
    }
  }

  #query(): QueryCommand {
    const { sortedBy, name, hash, hashType, tableHash } = this.#index;
    const { after, backwards = false, pageItems = PAGE } = this.#read;
    const { family } = this.#context.room;
    const bounded = after !== null && sortedBy !== null;
    const names = { "#hash": hash, ...(bounded ? { "#sort": sortedBy.name } : {}) };
    const values: Item = {
      ":hash": hashType === "N" ? { N: this.#key } : { S: this.#key },
      ...(bounded ? { ":after": sortedBy.type === "N" ? { N: after[0] } : { S: after[0] } } : {}),
    };
    return new QueryCommand({
      TableName: family.table,
      IndexName: name,
      KeyConditionExpression: bounded ? "#hash = :hash AND #sort >= :after" : "#hash = :hash",
      ScanIndexForward: !backwards,
      Limit: pageItems,
      ReturnConsumedCapacity: "TOTAL",
      ...ofFamily(family, tableHash, { names, values }),
      ...(this.#from ? { ExclusiveStartKey: this.#from } : {}),
    });
  }
}

/** Reads the items from the table if the index lacks attributes. */
async function wholeItems(context: RelayContext, index: WaitingIndex, items: Item[]): Promise<Item[]> {
  if (index.whole || items.length === 0) return items;
  const ids = items.map((item) => idOf(item, context.mapping));
  const found = await fetchItems(context, ids);
  return ids.map((id) => found.get(id)).filter((item) => item !== undefined);
}

/** The change that removes a published item from the index; empty if its status is the index's key. */
export function leavesIndex({ mapping, index }: Pick<RelayContext, "mapping" | "index">): Record<string, null> {
  if (!index) return {};
  const { lifecycle, primaryKey } = mapping;
  const marked = "column" in lifecycle ? lifecycle.column.name : null;
  const stays = [marked, ...primaryKey.map(({ name }) => name)];
  return stays.includes(index.hash) ? {} : { [index.hash]: null };
}
