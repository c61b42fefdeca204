import { GetItemCommand, type TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { AppError } from "#domain/errors.ts";
import { ITEM_OUTCOMES, type ItemOutcome } from "#domain/message/bulk-operation.ts";
import type { BulkRecords, ItemRow } from "../../port/bulk-records.ts";
import type { VerbRequest } from "../../port/verb.ts";
import { batchGet } from "../connection/batch-get.ts";
import { nowText } from "../items/instant.ts";
import { readBulkDoc } from "./bulk-records.ts";
import {
  deleteIf,
  fromItem,
  getRecord,
  keyItem,
  type OwnKey,
  type OwnRecord,
  type OwnTable,
  PARTITIONS,
  putIf,
  queryRecords,
} from "./own-table.ts";
import { serverNowMs } from "./terms.ts";

export type Place = ItemOutcome | "left";
const PLACES: readonly Place[] = ["left", ...ITEM_OUTCOMES];

/** An item is in the partition of its outcome. Writing an outcome moves the item, which cannot happen twice. */
export type ItemDoc = Omit<ItemRow, "seq" | "outcome">;

const ZERO = 1_000_000_000_000_000;

/** Sorts as the numbers do. */
export const seqKey = (seq: number): string => String(seq + ZERO).padStart(16, "0");
const seqOf = (sk: string): number => Number(sk) - ZERO;

export const itemKey = (id: string, place: Place, seq: number): OwnKey => ({
  pk: PARTITIONS.items(id, place),
  sk: seqKey(seq),
});

const toRow = ({ sk, doc }: OwnRecord<ItemDoc>, place: Place): ItemRow => ({
  seq: seqOf(sk),
  ...doc,
  outcome: place === "left" ? null : place,
});

/** In ascending `seq`. Reads at most `limit` items of each outcome. */
export async function listItems(
  own: OwnTable,
  { id, outcome, afterSeq, limit }: Parameters<BulkRecords["items"]>[0],
): Promise<ItemRow[]> {
  const writing = (await readBulkDoc(own, id))?.doc.writing ?? null;
  // Items of an incomplete page do not count yet.
  const unfinished = writing ? writing.to - writing.from + 1 : 0;
  const after = afterSeq === null ? null : seqKey(afterSeq);
  const found = new Map<number, ItemRow>();
  const read = async (place: Place) => {
    const query = { pk: PARTITIONS.items(id, place), after, limit: limit + unfinished };
    for (const record of (await queryRecords<ItemDoc>(own, query)).records)
      found.set(seqOf(record.sk), toRow(record, place));
  };
  for (const places of outcome === null ? IN_TURN : [[outcome]]) await Promise.all(places.map(read));
  const there = [...found.values()].filter(({ seq }) => !writing || seq < writing.from || seq > writing.to);
  return there.toSorted((one, other) => one.seq - other.seq).slice(0, limit);
}

/** In the order in which items move, so that a reading finds a moving item at its old or its new place. */
const IN_TURN: readonly (readonly Place[])[] = [
  ["left"],
  ["released"],
  ITEM_OUTCOMES.filter((outcome) => outcome !== "released"),
];

const KEYS_AT_ONCE = 100;

/** Those of the items that are in the place now. At most 100. */
export async function readItems(
  own: OwnTable,
  { id, place, seqs }: { id: string; place: Place; seqs: readonly number[] },
): Promise<OwnRecord<ItemDoc>[]> {
  const keys = [...new Set(seqs)].slice(0, KEYS_AT_ONCE).map((seq) => keyItem(itemKey(id, place, seq)));
  const items = await batchGet(own.link, { table: own.name, keys });
  return items.map((item) => fromItem<ItemDoc>(item));
}

export interface Move {
  id: string;
  record: OwnRecord<ItemDoc>;
  from: Place;
  to: ItemOutcome;
  doc: ItemDoc;
}

/** The writes that give an item an outcome; they fail if it already has one. */
export function moveWrites(own: OwnTable, { id, record, from, to, doc }: Move): TransactWriteItem[] {
  const seq = seqOf(record.sk);
  return [deleteIf(own, itemKey(id, from, seq), record.v), putIf(own, { ...itemKey(id, to, seq), doc, v: "1" }, null)];
}

/** The write that updates the counts; `by`: the increase for each place. */
export function countWrite(own: OwnTable, id: string, by: Partial<Record<Place, number>>): TransactWriteItem {
  const places = PLACES.filter((place) => by[place]);
  return {
    Update: {
      TableName: own.name,
      Key: keyItem(countsKey(id)),
      UpdateExpression: `ADD ${places.map((place) => `#${place} :${place}`).join(", ")}`,
      ExpressionAttributeNames: Object.fromEntries(places.map((place) => [`#${place}`, place])),
      ExpressionAttributeValues: Object.fromEntries(places.map((place) => [`:${place}`, { N: String(by[place]) }])),
    },
  };
}

const countsKey = (id: string): OwnKey => ({ pk: PARTITIONS.operation(id), sk: "counts" });

/** One read, for any number of items. */
export async function countItems(own: OwnTable, id: string): Promise<Partial<Record<Place, number>>> {
  const get = new GetItemCommand({ TableName: own.name, Key: keyItem(countsKey(id)), ConsistentRead: true });
  const { Item: counts = {} } = await own.link.client.send(get);
  const known = PLACES.map((place) => [place, Number(counts[place]?.N ?? 0)] as const);
  return Object.fromEntries(known.filter(([, count]) => count > 0));
}

/** The item of an act, before the act. Throws conflict if it has an outcome already. */
export async function requireOpenItem(own: OwnTable, verb: VerbRequest): Promise<OwnRecord<ItemDoc> | null> {
  if (!verb.item) return null;
  const record = await getRecord<ItemDoc>(own, itemKey(verb.operationId, "left", verb.item.seq));
  if (record) return record;
  throw new AppError("conflict", "This item of the operation has its outcome already: nothing was changed.");
}

/** The writes by which an act gives its item its outcome. */
export function actWrites(
  own: OwnTable,
  { operationId: id, item }: VerbRequest,
  { record, message }: { record: OwnRecord<ItemDoc>; message: string },
): TransactWriteItem[] {
  if (!item) return [];
  const { outcome } = item;
  const actedAt = nowText(serverNowMs(own.link));
  const doc = { ...record.doc, message, actedAt, settledAt: outcome === "done" ? actedAt : null };
  return [
    ...moveWrites(own, { id, record, from: "left", to: outcome, doc }),
    countWrite(own, id, { left: -1, [outcome]: 1 }),
  ];
}
