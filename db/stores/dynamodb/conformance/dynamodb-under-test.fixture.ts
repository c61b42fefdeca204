import { randomUUID } from "node:crypto";
import { PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { startHttpCutter } from "#tests/dynamodb/http-cutter.ts";
import { openTestTables, type TestItem, type TestTables } from "#tests/dynamodb/test-tables.ts";
import { EVERYTHING } from "#tests/test-depth.ts";
import {
  byName,
  type DatabaseOptions,
  type DatabaseUnderTest,
  DEAD_ATTEMPTS,
  LAYOUTS,
  type Layout,
  type NativeState,
  type NewRow,
  type OutboxUnderTest,
  PLAIN,
  refuseToCut,
  type StoreUnderTest,
} from "../../conformance/store-under-test.fixture.ts";
import type { AttributeKind, ItemFamily } from "../../port/item-family.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { Store } from "../../port/store.ts";
import { textOf } from "../items/item.ts";
import { openDynamodbStore } from "../open-dynamodb-store.ts";
import { column, timeColumn } from "./columns.fixture.ts";
import { INBOX_ATTRIBUTES, openInbox } from "./dynamodb-inbox.fixture.ts";

const OUTBOX = "orders";
const INBOX = "processed";
/** Written as text: the producer's JSON, byte by byte. */
const PAYLOAD = "payload";
/** Without this, readings are reused while their units flow in, and tests would not read their own last writes. */
const UNLIMITED = 1_000_000_000;

export const dynamodbUnderTest: StoreUnderTest = {
  kind: "dynamodb",
  endsTerms: false,
  // Items have no typed columns, so one layout covers most; suites that name a contrast also run on the other one.
  layouts: EVERYTHING ? LAYOUTS.filter((one) => !one.archiveTable) : [byName("status")],
  oneContrast: !EVERYTHING,
  sparing: !EVERYTHING,
  archiveTables: false,
  manyRows: 12_000,
  manyBeside: 1_200,
  largestPayloadBytes: 380_000,
  factsTogether: true,
  tellsWriters: false,
  logOfRows: true,
  relaysUnmarked: false,
  createDatabase: (options) => createDatabase(options),
};

/** The same on the server at `url`, with one table layout. */
export function dynamodbAt(url: () => string): StoreUnderTest {
  return { ...dynamodbUnderTest, layouts: [PLAIN], createDatabase: (options) => createDatabase(options, url()) };
}

async function createDatabase(
  { cuttable = false, interruptible = false }: DatabaseOptions = {},
  url?: string,
): Promise<DatabaseUnderTest> {
  const tables = openTestTables(url);
  const cutter = cuttable || interruptible ? await startHttpCutter(tables.url) : null;
  const families: Record<string, ItemFamily> = {};
  const stores: Store[] = [];
  const openStore = () => {
    const store = openDynamodbStore({
      name: "shop",
      url: `dynamodb://eu-central-1?endpoint=${encodeURIComponent(cutter?.url ?? tables.url)}`,
      applicationName: "conformance",
      families,
      ownTable: `${tables.prefix}own`,
      readUnitsPerMinute: UNLIMITED,
    });
    stores.push(store);
    return store;
  };
  await openStore().migrate();
  return {
    openStore,
    cutAt: cutter?.cutAt ?? refuseToCut,
    beforeNextWrite: (work) => (cutter ?? refuseToCut()).beforeNext("TransactWriteItems", work),
    beforeNextRead: (work) => (cutter ?? refuseToCut()).beforeNext("BatchGetItem", work),
    backdateClaims: (ms) => backdate(tables, ms, { field: "startedAt", isMeant: ({ sk }) => sk.startsWith("claim#") }),
    backdateHeartbeats: (ms) =>
      backdate(tables, ms, { field: "heartbeatAt", isMeant: ({ pk }) => pk.startsWith("instance#") }),
    stream: { reader: "test", feed: "" },
    createOutbox: async (layout) => {
      families[OUTBOX] = familyOf(await createOutboxTable(tables), layout);
      return outboxUnderTest(tables, layout, families[OUTBOX]);
    },
    createInbox: async (layout) => {
      const { table, ...inbox } = await openInbox(tables, INBOX, layout);
      families[INBOX] = { table, attributes: INBOX_ATTRIBUTES };
      return inbox;
    },
    drop: async () => {
      for (const store of stores) await store.close();
      await cutter?.close();
      await tables.drop();
    },
  };
}

interface Backdated {
  /** Of the record's document. */
  field: string;
  isMeant(key: { pk: string; sk: string }): boolean;
}

async function backdate({ client, prefix }: TestTables, ms: number, { field, isMeant }: Backdated): Promise<void> {
  const TableName = `${prefix}own`;
  const { Items: items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
  for (const item of items.filter(({ pk, sk }) => isMeant({ pk: pk?.S ?? "", sk: sk?.S ?? "" }))) {
    const doc = JSON.parse(item.doc?.S ?? "");
    const earlier = { ...doc, [field]: new Date(Date.parse(doc[field]) - ms).toISOString() };
    await client.send(new PutItemCommand({ TableName, Item: { ...item, doc: { S: JSON.stringify(earlier) } } }));
  }
}

function createOutboxTable(tables: TestTables): Promise<string> {
  return tables.create(OUTBOX, {
    KeySchema: [{ AttributeName: "PK", KeyType: "HASH" }],
    AttributeDefinitions: [
      { AttributeName: "PK", AttributeType: "S" },
      { AttributeName: "waits", AttributeType: "S" },
      { AttributeName: "seq", AttributeType: "N" },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: "waiting",
        KeySchema: [
          { AttributeName: "waits", KeyType: "HASH" },
          { AttributeName: "seq", KeyType: "RANGE" },
        ],
        Projection: { ProjectionType: "ALL" },
      },
    ],
  });
}

const STATE_ATTRIBUTES: Record<Layout["lifecycle"], Record<string, AttributeKind>> = {
  timestamp: { published_at: "time" },
  status: { status: "text" },
  flag: { published: "boolean" },
  delete: {},
};

function familyOf(table: string, { lifecycle, attempts }: Layout): ItemFamily {
  return {
    table,
    attributes: {
      aggregate_type: "text",
      aggregate_id: "text",
      event_type: "text",
      [PAYLOAD]: "json",
      created_at: "time",
      available_at: "time",
      ...STATE_ATTRIBUTES[lifecycle],
      ...(attempts ? { attempts: "number", last_error: "text" } : {}),
    },
    waiting: { index: "waiting", keys: ["yes"] },
  };
}

function mappingOf(table: string, { lifecycle, bare, attempts }: Layout): OutboxMapping {
  const publishedAt = timeColumn("published_at");
  const status = column("status", "text");
  const lifecycles: Record<Layout["lifecycle"], OutboxMapping["lifecycle"]> = {
    timestamp: { kind: "timestamp", column: publishedAt },
    status: {
      kind: "status",
      column: status,
      pending: [bare ? null : "PENDING"],
      inFlight: [],
      failed: [],
      published: ["SENT"],
      dead: ["DEAD"],
      expired: ["EXPIRED"],
    },
    flag: { kind: "flag", column: column("published", "boolean") },
    delete: { kind: "delete" },
  };
  return {
    table: { schema: table, name: OUTBOX },
    primaryKey: [column("PK", "S")],
    columns: {
      id: column("PK", "S"),
      payload: column(PAYLOAD, "json"),
      aggregateType: column("aggregate_type", "text"),
      aggregateId: column("aggregate_id", "text"),
      eventType: column("event_type", "text"),
      createdAt: timeColumn("created_at"),
      availableAt: timeColumn("available_at"),
      order: column("seq", "N"),
      ...(lifecycle === "timestamp" ? { publishedAt } : {}),
      ...(lifecycle === "status" ? { status } : {}),
      ...(attempts ? { attempts: column("attempts", "number"), lastError: column("last_error", "text") } : {}),
    },
    lifecycle: lifecycles[lifecycle],
    deadAttempts: attempts ? DEAD_ATTEMPTS : null,
    archiveTable: null,
    shape: "configured",
  };
}

const STATUS_WORDS: Record<NativeState, string> = {
  pending: "PENDING",
  failed: "PENDING",
  dead: "DEAD",
  published: "SENT",
  expired: "EXPIRED",
  unknown: "ODD",
};

/** Attributes that express the state. */
function stateOf({ lifecycle, bare, attempts }: Layout, state: NativeState): TestItem {
  const failures = state === "failed" ? DEAD_ATTEMPTS - 1 : state === "dead" ? DEAD_ATTEMPTS : 0;
  const published = state === "published";
  const isWaiting = state === "pending" || state === "failed";
  return {
    ...(published ? {} : { waits: { S: "yes" } }),
    ...(attempts ? { attempts: { N: String(failures) } } : {}),
    ...(attempts && failures > 0 ? { last_error: { S: "HTTP 500" } } : {}),
    ...(lifecycle === "timestamp" && published ? { published_at: { S: new Date().toISOString() } } : {}),
    ...(lifecycle === "flag" ? { published: { BOOL: published } } : {}),
    ...(lifecycle === "status" && !(bare && isWaiting) ? { status: { S: STATUS_WORDS[state] } } : {}),
  };
}

function outboxUnderTest(tables: TestTables, layout: Layout, family: ItemFamily): OutboxUnderTest {
  const { table } = family;
  let last = 0;
  const toItem = ({ state = "pending", ...row }: NewRow): TestItem => {
    last += 1;
    return {
      PK: { S: row.id ?? randomUUID() },
      seq: { N: String(last) },
      ...(row.aggregateId === null
        ? {}
        : { aggregate_type: { S: "order" }, aggregate_id: { S: row.aggregateId ?? "a" } }),
      ...(row.eventType === null ? {} : { event_type: { S: row.eventType ?? "order.placed" } }),
      [PAYLOAD]: { S: row.payload ?? '{"n":1}' },
      created_at: { S: row.createdAt ?? new Date().toISOString() },
      ...(row.availableAt ? { available_at: { S: row.availableAt } } : {}),
      ...stateOf(layout, state),
    };
  };
  const insert = async (rows: readonly NewRow[]) => {
    const items = rows.map(toItem);
    await tables.put(table, items);
    return items.map(({ PK }) => PK?.S ?? "");
  };
  return {
    name: OUTBOX,
    mapping: mappingOf(table, layout),
    insert,
    beginInsert: async (rows) => {
      const items = rows.map(toItem);
      const ids = items.map(({ PK }) => PK?.S ?? "");
      return { ids, commit: () => tables.put(table, items), rollback: async () => undefined };
    },
    fill: async (count) => {
      const aggregate = (n: number) => ({ aggregateId: `filler-${n % 1000}`, payload: '{"text":"some payload"}' });
      await insert(Array.from({ length: count }, (_, n) => aggregate(n)));
    },
    publishByOther: async (id) => {
      if (layout.lifecycle === "delete") return tables.delete(table, { PK: { S: id } });
      const { waits: _, ...item } = (await tables.get(table, { PK: { S: id } })) ?? {};
      await tables.put(table, [{ ...item, ...stateOf(layout, "published") } as TestItem]);
    },
    remove: (id) => tables.delete(table, { PK: { S: id } }),
    touch: async (id) => {
      const item = (await tables.get(table, { PK: { S: id } })) as TestItem;
      await tables.put(table, [{ ...item, available_at: { S: new Date(0).toISOString() } }]);
    },
    row: async (id) => {
      const item = await tables.get(table, { PK: { S: id } });
      return item && Object.fromEntries(Object.entries(item).map(([name, value]) => [name, textOf(value)]));
    },
    keepRows: () => tables.stream(table),
  };
}
