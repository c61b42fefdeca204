import { QueryCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import type { Item } from "../items/item.ts";
import { ofFamily } from "../items/read-items.ts";
import type { Room } from "../room.ts";
import type { WaitingIndex } from "./index-shape.ts";
import { unsortedLimit } from "./unsorted-limit.ts";

/** Reads that share a place: each of these finds every item in turn, whatever the others read. */
export type PartReader = "claim" | "unread" | "head";

/** Where a part of an index begins: at which of its named keys, and after which item. */
export interface PartStart {
  key: number;
  after: Item | undefined;
}

export const INDEX_START: PartStart = { key: 0, after: undefined };

export interface UnsortedPart {
  items: Item[];
  /** Where the next part begins; the start of the index after its last part. */
  next: PartStart;
  /** The index holds more items than these. */
  isCut: boolean;
}

/**
 * An index without order is read whole or, if it holds more items than one read takes, a part of it from `start` on.
 */
export async function readPart(
  room: Room,
  index: WaitingIndex,
  { start, spent }: { start: PartStart; spent: ((units: number) => void) | undefined },
): Promise<UnsortedPart> {
  const keys = index.keys ?? [null];
  const items: Item[] = [];
  let { key, after } = start;
  while (key < keys.length && items.length < unsortedLimit.items) {
    const answer = await readPage(room, index, {
      key: keys[key] ?? null,
      after,
      limit: unsortedLimit.items - items.length,
    });
    spent?.(answer.ConsumedCapacity?.CapacityUnits ?? 0);
    items.push(...(answer.Items ?? []));
    after = answer.LastEvaluatedKey;
    if (!after) key += 1;
  }
  const isAtEnd = key >= keys.length;
  const isFromStart = start.key === 0 && !start.after;
  return { items, next: isAtEnd ? INDEX_START : { key, after }, isCut: !isAtEnd || !isFromStart };
}

/** A page of the items under one key, or of all if no key is named. */
function readPage(
  { link, family }: Room,
  index: WaitingIndex,
  { key, after, limit }: { key: string | null; after: Item | undefined; limit: number },
) {
  const common = {
    ...({ TableName: family.table, IndexName: index.name, ReturnConsumedCapacity: "TOTAL", Limit: limit } as const),
    ...(after ? { ExclusiveStartKey: after } : {}),
  };
  if (key === null) return link.client.send(new ScanCommand({ ...common, ...ofFamily(family, index.tableHash) }));
  const value: Item = { ":hash": index.hashType === "N" ? { N: key } : { S: key } };
  return link.client.send(
    new QueryCommand({
      ...{ ...common, KeyConditionExpression: "#hash = :hash" },
      ...ofFamily(family, index.tableHash, { names: { "#hash": index.hash }, values: value }),
    }),
  );
}
