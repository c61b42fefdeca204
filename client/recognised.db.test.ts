import { beforeAll, describe, expect, test } from "vitest";
import { recogniseInbox } from "../db/shapes/inbox/recognise-inbox.ts";
import { looksLikeOutbox, recogniseOutbox } from "../db/shapes/recognise.ts";
import { openMysqlStore } from "../db/stores/mysql/open-mysql-store.ts";
import type { CatalogTable } from "../db/stores/port/catalog.ts";
import { readCatalog } from "../db/stores/postgres/catalog/read-catalog.ts";
import { parseConfig } from "../services/config/load-config.ts";
import { missingIndexesOf } from "../services/outboxes/missing-indexes.ts";
import { openRuntime } from "../services/runtime.ts";
import { testMysqlDatabase } from "../tests/mysql.ts";
import { testDatabase } from "../tests/postgres.ts";
import { mysql2 } from "./adapters/mysql2.ts";
import { pg } from "./adapters/pg.ts";
import { createInbox } from "./inbox/create-inbox.ts";
import { createOutbox } from "./outbox/create-outbox.ts";
import { contractEvents } from "./testing/contract-events.ts";
import { POSTGRES_TABLES } from "./testing/tables.fixture.ts";

const ROLES = {
  id: "id",
  order: "sequence",
  aggregateType: "aggregate_type",
  aggregateId: "aggregate_id",
  eventType: "event_type",
  payload: "payload",
  headers: "headers",
  createdAt: "created_at",
  availableAt: "available_at",
  publishedAt: "published_at",
};

function expectRecognised(tables: readonly CatalogTable[]) {
  const inboxes = tables.flatMap((table) => recogniseInbox(table) ?? []);
  const outboxes = tables.filter((table) => table.name !== "inbox" && looksLikeOutbox(table));
  expect([outboxes.map(({ name }) => name), inboxes.map(({ table }) => table.name)]).toEqual([["outbox"], ["inbox"]]);
  const found = outboxes[0] ? recogniseOutbox(outboxes[0], tables) : { problem: "nothing was found" };
  if ("problem" in found) throw new Error(found.problem);
  const { columns, lifecycle } = found.mapping;
  expect(Object.fromEntries(Object.entries(columns).map(([role, { name }]) => [role, name]))).toEqual(ROLES);
  expect(lifecycle).toMatchObject({ kind: "timestamp", column: { name: "published_at" } });
  expect({ confidence: found.confidence, question: found.question, warnings: found.warnings }).toEqual({
    confidence: "exact",
    question: null,
    warnings: [],
  });
  expect(inboxes[0]).toMatchObject({
    messageId: { name: "message_id" },
    consumer: { name: "consumer" },
    eventType: { name: "event_type" },
    receivedAt: { name: "received_at" },
    processedAt: { name: "processed_at" },
    error: { name: "last_error" },
    tracksProcessing: true,
    mark: { kind: "time", always: false },
  });
}

describe("the DDL that schema() prints for Postgres", () => {
  const database = testDatabase();
  beforeAll(() => database().pool.query(POSTGRES_TABLES));

  test("is recognised, without a question", async () => {
    expectRecognised(await readCatalog(database().pool, undefined));
  });

  test("is an inbox as well with the columns in which watchOrder keeps numbers", async () => {
    const inbox = createInbox(contractEvents, { via: pg(), consumer: "c", table: "numbered_inbox", watchOrder: true });
    await database().pool.query(inbox.schema());
    const table = (await readCatalog(database().pool, undefined)).find(({ name }) => name === "numbered_inbox");
    expect(table && looksLikeOutbox(table)).toBe(false);
    expect(table && recogniseInbox(table)).toMatchObject({ tracksProcessing: true, error: { name: "last_error" } });
    await database().pool.query("DROP TABLE numbered_inbox");
  });

  test("lacks none of the indexes that the relay and the console expect", async () => {
    const yaml = `
stores: { shop: { kind: postgres, url: "${database().url}" } }
outboxes: { orders: { store: shop, table: public.outbox, mode: relay, relay: { sink: out } } }
sinks: { out: { kind: log } }`;
    const runtime = openRuntime({ config: parseConfig(yaml, {}, "test"), applicationName: "client test", env: {} });
    try {
      expect(await missingIndexesOf(await runtime.outbox("orders"))).toEqual([]);
    } finally {
      await runtime.close();
    }
  });
});

describe("the DDL that schema() prints for MySQL", () => {
  const database = testMysqlDatabase("mysql", "empty");
  beforeAll(async () => {
    const via = mysql2();
    await database().query(createOutbox(contractEvents, { via }).schema());
    await database().query(createInbox(contractEvents, { via, consumer: "contract" }).schema());
  });

  test("is recognised, without a question", async () => {
    const store = openMysqlStore({ name: "shop", url: database().url, applicationName: "test", own: database().own });
    try {
      expectRecognised((await store.catalog()).tables);
    } finally {
      await store.close();
    }
  });
});
