import type { AttributeDefinition, ProjectionType } from "@aws-sdk/client-dynamodb";
import { UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { openTestTables, type TestItem, type TestTables } from "#tests/dynamodb/test-tables.ts";
import type { ItemFamily } from "../port/item-family.ts";
import type { MappedColumn, OutboxMapping, TimeEncoding } from "../port/mapping.ts";
import type { OutboxStore, Store } from "../port/store.ts";
import { openDynamodbStore } from "./open-dynamodb-store.ts";

export interface TutorialShop {
  tables: TestTables;
  /** DynamoDB's table: orders, and an outbox under the prefix OUTBOX#. */
  table: string;
  family: ItemFamily;
  mapping: OutboxMapping;
  open(more?: { family?: Partial<ItemFamily>; readUnitsPerMinute?: number; storeSide?: boolean }): {
    store: Store;
    outbox: OutboxStore;
  };
  drop(): Promise<void>;
}

const column = (name: string, type: string, time?: TimeEncoding): MappedColumn => ({
  name,
  type,
  nullable: !["PK", "SK"].includes(name),
  ...(time ? { time } : {}),
  from: "config",
});

const text = (name: string): AttributeDefinition => ({ AttributeName: name, AttributeType: "S" });

/** One table for everything, as tutorials have it: a key prefix, a flag, a time to live and a sparse index. */
export async function createTutorialShop(projection: ProjectionType = "ALL", url?: string): Promise<TutorialShop> {
  const tables = openTestTables(url);
  const key = (hash: string) =>
    [
      { AttributeName: hash, KeyType: "HASH" },
      { AttributeName: "SK", KeyType: "RANGE" },
    ] as const;
  const table = await tables.create("shop", {
    KeySchema: [...key("PK")],
    AttributeDefinitions: ["PK", "SK", "unpublished"].map(text),
    GlobalSecondaryIndexes: [
      { IndexName: "unpublished", KeySchema: [...key("unpublished")], Projection: { ProjectionType: projection } },
    ],
  });
  const ttl = { Enabled: true, AttributeName: "ttl" };
  await tables.client.send(new UpdateTimeToLiveCommand({ TableName: table, TimeToLiveSpecification: ttl }));
  const family: ItemFamily = {
    table,
    keyPrefix: "OUTBOX#",
    attributes: { event_type: "text", payload: "json", published: "boolean", created_at: "time", ttl: "seconds" },
    waiting: { index: "unpublished", keys: ["yes"] },
  };
  const mapping: OutboxMapping = {
    table: { schema: table, name: "orders" },
    primaryKey: [column("PK", "S"), column("SK", "S")],
    columns: {
      id: column("SK", "S"),
      payload: column("payload", "json"),
      aggregateId: column("PK", "S"),
      eventType: column("event_type", "text"),
      createdAt: column("created_at", "time", { kind: "timestamptz" }),
      publishedAt: column("published", "boolean"),
      order: column("SK", "S"),
    },
    lifecycle: { kind: "flag", column: column("published", "boolean") },
    deadAttempts: null,
    archiveTable: null,
    shape: "configured",
  };
  const stores: Store[] = [];
  return {
    tables,
    table,
    family,
    mapping,
    open: ({ family: changes = {}, readUnitsPerMinute = 1_000_000_000, storeSide = false } = {}) => {
      const store = openDynamodbStore({
        name: "shop",
        url: `dynamodb://eu-central-1?endpoint=${encodeURIComponent(tables.url)}`,
        applicationName: "test",
        families: { orders: { ...family, ...changes } },
        ownTable: `${tables.prefix}own`,
        readUnitsPerMinute,
      });
      stores.push(store);
      const ref = { name: "orders", mapping, storeSide, maxAttempts: null, estimatedRows: -1 };
      return { store, outbox: store.outbox(ref) };
    },
    drop: async () => {
      for (const store of stores) await store.close();
      await tables.drop();
    },
  };
}

let last = 0;

/** An item of the outbox, of a new aggregate unless `aggregate` is given. */
export function eventItem(more: { aggregate?: string; published?: boolean; attributes?: TestItem } = {}): TestItem {
  last += 1;
  const { aggregate = `order-${last}`, published = false, attributes = {} } = more;
  return {
    PK: { S: `OUTBOX#${aggregate}` },
    SK: { S: `EVENT#${String(last).padStart(8, "0")}` },
    event_type: { S: "order.placed" },
    payload: { S: '{"n":1}' },
    published: { BOOL: published },
    created_at: { S: new Date().toISOString() },
    ...(published ? {} : { unpublished: { S: "yes" } }),
    ...attributes,
  };
}

/** An item of the same table that is no event. */
export function orderItem(name: string, bytes = 10): TestItem {
  return { PK: { S: `ORDER#${name}` }, SK: { S: "order" }, note: { S: "x".repeat(bytes) } };
}
