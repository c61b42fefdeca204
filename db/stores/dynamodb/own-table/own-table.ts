import {
  type AttributeValue,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type TransactWriteItem,
} from "@aws-sdk/client-dynamodb";
import type { Link } from "../connection/link.ts";
import type { Item } from "../items/item.ts";

export const DEFAULT_OWN_TABLE = "outbox_console";

/**
 * Our one table: `pk` and `sk` as its key, a record's values as JSON in `doc`. An item that left the team's table is in
 * `image`.
 */
export interface OwnTable {
  name: string;
  link: Link;
}

export interface OwnRecord<Doc> {
  sk: string;
  doc: Doc;
  /** Changes whenever the record does. */
  v: string;
}

export interface OwnKey {
  pk: string;
  sk: string;
}

/** Partition keys: records that are read together share one. */
export const PARTITIONS = {
  meta: "meta",
  mappings: "mapping",
  audit: "audit",
  auditOf: (messageId: string) => `audit-of#${messageId}`,
  operation: (id: string) => `operation#${id}`,
  idempotencyKey: (actor: string) => `operation-of#${actor}`,
  /** All operations of a store or of one outbox, by their beginning. */
  operations: (outbox: string | null) => (outbox === null ? "operations" : `operations#${outbox}`),
  /** Bulk operations that a runner can take. */
  openBulk: "open-operations",
  /** Items of a bulk operation that have this outcome. */
  items: (id: string, outcome: string) => `operation-items#${id}#${outcome}`,
  pauses: (outbox: string) => `pause#${outbox}`,
  dead: (outbox: string) => `dead#${outbox}`,
  archive: (outbox: string) => `archive#${outbox}`,
  restored: (outbox: string) => `restored#${outbox}`,
  /** Terms of relays and their claims. */
  relay: (outbox: string) => `relay#${outbox}`,
  /** Heartbeats. */
  instances: (outbox: string) => `instance#${outbox}`,
  deliveries: (outbox: string) => `delivery#${outbox}`,
  attempts: (outbox: string) => `attempt#${outbox}`,
  attemptsOf: (outbox: string, id: string) => `attempt-of#${outbox}#${id}`,
  suspects: (outbox: string) => `suspect#${outbox}`,
  /** Announcements of operators' actions, and counters of the actions. */
  acting: (outbox: string) => `acting#${outbox}`,
  /** Positions in the shards of a stream. */
  stream: (outbox: string) => `stream#${outbox}`,
  /** Separate from the records, so that reading the records is cheap. */
  images: (outbox: string) => `image#${outbox}`,
} as const;

export function keyItem({ pk, sk }: OwnKey): Item {
  return { pk: { S: pk }, sk: { S: sk } };
}

export function toItem({ pk, sk, doc, v }: OwnKey & { doc: unknown; v: string }): Item {
  return { ...keyItem({ pk, sk }), doc: { S: JSON.stringify(doc) }, v: { S: v } };
}

export function fromItem<Doc>(item: Item): OwnRecord<Doc> {
  return { sk: item.sk?.S ?? "", doc: JSON.parse(item.doc?.S ?? "null") as Doc, v: item.v?.S ?? "" };
}

/** Consistent; null when it is not there. */
/** Most bytes of a sort key. */
const LONGEST_SORT_KEY = 1024;

export async function getRecord<Doc>(own: OwnTable, key: OwnKey): Promise<OwnRecord<Doc> | null> {
  // Of a longer key there can be no record, and DynamoDB refuses to look.
  if (Buffer.byteLength(key.sk) > LONGEST_SORT_KEY) return null;
  const command = new GetItemCommand({ TableName: own.name, Key: keyItem(key), ConsistentRead: true });
  const { Item: item } = await own.link.client.send(command);
  return item ? fromItem<Doc>(item) : null;
}

export interface RecordQuery {
  pk: string;
  /** Sort keys that begin so. */
  prefix?: string;
  /** Sort keys before this one, or after it. Only one of `prefix`, `before` and `after` may be set. */
  before?: string | null;
  after?: string | null;
  newestFirst?: boolean;
  /** At most about so many are read; `complete` says whether there are more. */
  limit: number;
}

export interface RecordsRead<Doc> {
  records: OwnRecord<Doc>[];
  complete: boolean;
  /** Capacity units. */
  units: number;
}

/** Records of one partition in the order of their sort keys; consistent. */
export async function queryRecords<Doc>(own: OwnTable, query: RecordQuery): Promise<RecordsRead<Doc>> {
  const records: OwnRecord<Doc>[] = [];
  let units = 0;
  let from: Record<string, AttributeValue> | undefined;
  do {
    const page = await own.link.client.send(
      new QueryCommand({ ...inputOf(own, query), ...(from ? { ExclusiveStartKey: from } : {}) }),
    );
    records.push(...(page.Items ?? []).map((item) => fromItem<Doc>(item)));
    units += page.ConsumedCapacity?.CapacityUnits ?? 0;
    from = page.LastEvaluatedKey;
  } while (from && records.length < query.limit);
  return { records, complete: from === undefined, units };
}

/** All items of a partition as they are stored, in the order of their sort keys; consistent. */
export async function queryItems(own: OwnTable, query: Pick<RecordQuery, "pk" | "prefix">): Promise<Item[]> {
  const items: Item[] = [];
  let from: Record<string, AttributeValue> | undefined;
  do {
    const input = { ...inputOf(own, { ...query, limit: 1000 }), ...(from ? { ExclusiveStartKey: from } : {}) };
    const page = await own.link.client.send(new QueryCommand(input));
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
}

/** All records of a partition, however many they are, in the order of their sort keys; consistent. */
export async function allRecords<Doc>(
  own: OwnTable,
  query: Pick<RecordQuery, "pk" | "prefix">,
): Promise<OwnRecord<Doc>[]> {
  return (await queryItems(own, query)).map((item) => fromItem<Doc>(item));
}

function inputOf(own: OwnTable, query: RecordQuery): QueryCommandInput {
  const { pk, prefix, before, after, newestFirst = false, limit } = query;
  const bounds = [
    ...(prefix === undefined ? [] : ["begins_with(sk, :prefix)"]),
    ...(before ? ["sk < :before"] : []),
    ...(after ? ["sk > :after"] : []),
  ];
  return {
    TableName: own.name,
    KeyConditionExpression: ["pk = :pk", ...bounds].join(" AND "),
    ExpressionAttributeValues: {
      ":pk": { S: pk },
      ...(prefix === undefined ? {} : { ":prefix": { S: prefix } }),
      ...(before ? { ":before": { S: before } } : {}),
      ...(after ? { ":after": { S: after } } : {}),
    },
    ConsistentRead: true,
    ReturnConsumedCapacity: "TOTAL",
    ScanIndexForward: !newestFirst,
    Limit: Math.min(limit, 1000),
  };
}

export async function putRecord(own: OwnTable, record: OwnKey & { doc: unknown; v: string }): Promise<void> {
  await own.link.client.send(new PutItemCommand({ TableName: own.name, Item: toItem(record) }));
}

/** Writes a record; `was` is its `v` as it was read, null for a record that must not be there yet. */
export function putIf(
  own: OwnTable,
  record: OwnKey & { doc: unknown; v: string },
  was: string | null,
): TransactWriteItem {
  return { Put: { TableName: own.name, Item: toItem(record), ...unchanged(was) } };
}

export function deleteIf(own: OwnTable, key: OwnKey, was: string): TransactWriteItem {
  return { Delete: { TableName: own.name, Key: keyItem(key), ...unchanged(was) } };
}

/** Stores an item that leaves the team's table. Fails if one of the same id is stored already. */
export function putImage(own: OwnTable, outbox: string, id: string, image: Item): TransactWriteItem {
  const key = keyItem({ pk: PARTITIONS.images(outbox), sk: id });
  return { Put: { TableName: own.name, Item: { ...key, image: { M: image } }, ...unchanged(null) } };
}

/** Deletes the image of an item that was restored or purged. */
export function dropImage(own: OwnTable, outbox: string, id: string): TransactWriteItem {
  const Key = keyItem({ pk: PARTITIONS.images(outbox), sk: id });
  return { Delete: { TableName: own.name, Key, ConditionExpression: "attribute_exists(pk)" } };
}

/** The record is still as it was read, or still not there. */
export function checkIf(own: OwnTable, key: OwnKey, was: string | null): TransactWriteItem {
  return { ConditionCheck: { TableName: own.name, Key: keyItem(key), ...unchanged(was) } };
}

export function unchanged(was: string | null) {
  return was === null
    ? { ConditionExpression: "attribute_not_exists(pk)" }
    : { ConditionExpression: "v = :was", ExpressionAttributeValues: { ":was": { S: was } } };
}
