import {
  type DynamoDBClient,
  type GlobalSecondaryIndexDescription,
  QueryCommand,
  ScanCommand,
  type TableDescription,
} from "@aws-sdk/client-dynamodb";
import type { ItemFamily } from "../../port/item-family.ts";
import { keyNames } from "../catalog/read-catalog.ts";
import type { Link } from "../connection/link.ts";
import { type Item, textOf } from "./item.ts";

/** A table of at most this size is read whole, and consistently: 64 capacity units. */
const SMALL_BYTES = 256 * 1024;
/** Pages of at most 1 MB that one reading takes from an index or from a table without one. */
const MOST_PAGES = 2;

export interface ItemsRead {
  items: Item[];
  /** Which items these are: all of the family, all that wait, or the first that were read. */
  covers: "all" | "waiting" | "some";
  /** Read from the index, which follows the table after a moment. */
  fromIndex: boolean;
  /** The index holds every attribute. */
  whole: boolean;
  /** Items of DynamoDB's table, as it counted them within the last hours. */
  tableItems: number;
  tableBytes: number;
  units: number;
}

/** Null if the table does not exist; with `onlySmall` also if it is too large to be read whole. */
export async function readItems(link: Link, family: ItemFamily, { onlySmall = false } = {}): Promise<ItemsRead | null> {
  const table = await link.describe(family.table);
  if (!table) return null;
  const about = { tableItems: table.ItemCount ?? 0, tableBytes: table.TableSizeBytes ?? 0 };
  if (onlySmall && about.tableBytes > SMALL_BYTES) return null;
  const [partitionKey = ""] = keyNames(table.KeySchema);
  const index = (table.GlobalSecondaryIndexes ?? []).find(({ IndexName: name }) => name === family.waiting?.index);
  if (about.tableBytes <= SMALL_BYTES || !index) {
    const pages = index ? 1 : MOST_PAGES;
    const scanned = await scanTable(link, family, { partitionKey, pages });
    if (scanned.complete) return { ...about, ...scanned, covers: "all", fromIndex: false, whole: true };
    if (!index) return { ...about, ...scanned, covers: "some", fromIndex: false, whole: true };
  }
  const read = await readIndex(link, family, index as GlobalSecondaryIndexDescription, partitionKey);
  const covers = read.complete ? "waiting" : "some";
  return { ...about, ...read, covers, fromIndex: true, whole: index?.Projection?.ProjectionType === "ALL" };
}

interface Pages {
  items: Item[];
  complete: boolean;
  units: number;
}

async function scanTable(
  link: Link,
  family: ItemFamily,
  { partitionKey, pages }: { partitionKey: string; pages: number },
): Promise<Pages> {
  return readPages(link, pages, (client, from) =>
    client.send(
      new ScanCommand({
        TableName: family.table,
        ConsistentRead: true,
        ReturnConsumedCapacity: "TOTAL",
        ...ofFamily(family, partitionKey),
        ...from,
      }),
    ),
  );
}

/** The items that wait, in the index's order where its keys are configured. */
async function readIndex(
  link: Link,
  family: ItemFamily,
  index: GlobalSecondaryIndexDescription,
  partitionKey: string,
): Promise<Pages> {
  const common = { TableName: family.table, IndexName: index.IndexName, ReturnConsumedCapacity: "TOTAL" } as const;
  const keys = family.waiting?.keys;
  if (!keys) {
    return readPages(link, MOST_PAGES, (client, from) =>
      client.send(new ScanCommand({ ...common, ...ofFamily(family, partitionKey), ...from })),
    );
  }
  const [hash = ""] = keyNames(index.KeySchema);
  const read: Pages = { items: [], complete: true, units: 0 };
  for (const key of keys) {
    const part = await readPages(link, MOST_PAGES, (client, from) =>
      client.send(
        new QueryCommand({
          ...common,
          KeyConditionExpression: "#hash = :hash",
          ...ofFamily(family, partitionKey, { names: { "#hash": hash }, values: { ":hash": { S: key } } }),
          ...from,
        }),
      ),
    );
    read.items.push(...part.items);
    read.units += part.units;
    read.complete &&= part.complete;
  }
  return read;
}

/** A query needs the whole partition key, so its prefix is a filter over the items read. */
export function ofFamily(
  { keyPrefix }: ItemFamily,
  partitionKey: string,
  more: { names: Record<string, string>; values: Item } = { names: {}, values: {} },
) {
  const names = { ...more.names, ...(keyPrefix === undefined ? {} : { "#pk": partitionKey }) };
  const values = { ...more.values, ...(keyPrefix === undefined ? {} : { ":prefix": { S: keyPrefix } }) };
  return {
    ...(keyPrefix === undefined ? {} : { FilterExpression: "begins_with(#pk, :prefix)" }),
    ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
  };
}

interface Page {
  Items?: Item[] | undefined;
  LastEvaluatedKey?: Item | undefined;
  ConsumedCapacity?: { CapacityUnits?: number | undefined } | undefined;
}

async function readPages(
  link: Link,
  most: number,
  ask: (client: DynamoDBClient, from: { ExclusiveStartKey?: Item }) => Promise<Page>,
): Promise<Pages> {
  const read: Pages = { items: [], complete: false, units: 0 };
  let from: Item | undefined;
  for (let page = 0; page < most; page += 1) {
    const answer = await link.read((client) => ask(client, from ? { ExclusiveStartKey: from } : {}) as Promise<never>);
    const { Items: items = [], LastEvaluatedKey: last, units } = answer as Page & { units: number };
    read.items.push(...items);
    read.units += units;
    from = last;
    if (!from) return { ...read, complete: true };
  }
  return read;
}

/** True if the item belongs to the family. */
export function isOfFamily(item: Item, { keyPrefix }: ItemFamily, table: Pick<TableDescription, "KeySchema">): boolean {
  const [partitionKey = ""] = keyNames(table.KeySchema);
  return keyPrefix === undefined || (textOf(item[partitionKey]) ?? "").startsWith(keyPrefix);
}
