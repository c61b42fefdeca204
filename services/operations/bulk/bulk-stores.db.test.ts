import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { z } from "zod";
import { operationRequestSchema } from "#contracts/message/operations.ts";
import { openReplaySink } from "#relay/replay/open-replay-sink.ts";
import { sinkSchema } from "#services/config/sinks/sink-schema.ts";
import { openTestTables } from "#tests/dynamodb/test-tables.ts";
import { ADMIN, contextOf } from "#tests/factories/runtime.ts";
import { startHttpReceiver } from "#tests/http-receiver.ts";
import { borrowMysqlDatabase } from "#tests/mysql.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type MonitorHandle, startMonitor } from "../../../monitor/start-monitor.ts";
import { configSchema } from "../../config/config-schema.ts";
import { migrateStore } from "../../migrate/auto-migrate.ts";
import { openRuntime, type Runtime } from "../../runtime.ts";
import { getOperation } from "../get-operation.ts";
import { listItems } from "../list-items.ts";
import { listOperations } from "../list-operations.ts";
import { startOperation } from "../start-operation.ts";

const DEAD_ATTEMPTS = 5;
const MESSAGES = 40;
const COLUMNS = {
  ...{ id: "id", order: "seq", aggregateId: "aggregate_id", eventType: "event_type", payload: "payload" },
  ...{ createdAt: "created_at", publishedAt: "published_at", attempts: "attempts", lastError: "last_error" },
};

type Config = z.input<typeof configSchema>;

/** A table with so many dead messages. */
interface Shop {
  store: NonNullable<Config["stores"]>[string];
  table: string;
  /** As a relay: publishes retried messages. */
  publish(): Promise<void>;
  /** As a relay: publishes every message in any state. */
  publishAll(): Promise<void>;
  drop(): Promise<void>;
}

async function openMysqlShop(): Promise<Shop> {
  const database = await borrowMysqlDatabase("mysql");
  await database.query(
    `CREATE TABLE outbox_events (id char(36) PRIMARY KEY, seq bigint AUTO_INCREMENT UNIQUE, aggregate_id varchar(255), event_type varchar(255),
     payload json, created_at datetime(6) NOT NULL DEFAULT (UTC_TIMESTAMP(6)), published_at datetime(6), attempts int NOT NULL, last_error text)`,
  );
  for (let n = 0; n < MESSAGES; n += 1)
    await database.query(
      "INSERT INTO outbox_events (id, aggregate_id, event_type, payload, attempts, last_error) VALUES (?, ?, 'order.placed', '{}', ?, 'HTTP 500')",
      [randomUUID(), `order-${n % 5}`, DEAD_ATTEMPTS],
    );
  return {
    store: { kind: "mysql", url: database.url, ownDatabase: database.own.database },
    table: `${database.name}.outbox_events`,
    publish: async () =>
      void (await database.query("UPDATE outbox_events SET published_at = UTC_TIMESTAMP(6) WHERE attempts = 0")),
    publishAll: async () => void (await database.query("UPDATE outbox_events SET published_at = UTC_TIMESTAMP(6)")),
    drop: () => database.drop(),
  };
}

async function openDynamodbShop(): Promise<Shop> {
  const tables = openTestTables();
  const waits = [
    { AttributeName: "waits", KeyType: "HASH" },
    { AttributeName: "seq", KeyType: "RANGE" },
  ] as const;
  const table = await tables.create("shop", {
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    AttributeDefinitions: [
      { AttributeName: "id", AttributeType: "S" },
      { AttributeName: "waits", AttributeType: "S" },
      { AttributeName: "seq", AttributeType: "N" },
    ],
    GlobalSecondaryIndexes: [{ IndexName: "waiting", KeySchema: [...waits], Projection: { ProjectionType: "ALL" } }],
  });
  const dead = Array.from({ length: MESSAGES }, (_, n) => ({
    ...{ id: { S: randomUUID() }, seq: { N: String(n) }, waits: { S: "yes" }, aggregate_id: { S: `order-${n % 5}` } },
    ...{ event_type: { S: "order.placed" }, payload: { S: "{}" }, created_at: { S: new Date().toISOString() } },
    ...{ attempts: { N: String(DEAD_ATTEMPTS) }, last_error: { S: "HTTP 500" } },
  }));
  await tables.put(table, dead);
  return {
    store: {
      ...{ kind: "dynamodb", region: "eu-central-1", endpoint: tables.url, ownTable: `${tables.prefix}own` },
      readUnitsPerMinute: 10_000_000,
      families: {
        orders: {
          table,
          attributes: {
            ...{ aggregate_id: "text", event_type: "text", payload: "json", created_at: "time" },
            ...{ published_at: "time", attempts: "number", last_error: "text" },
          },
          waiting: { index: "waiting", keys: ["yes"] },
        },
      },
    },
    table: "orders",
    publish: async () => {
      const retried = (await tables.all(table)).filter(({ attempts, published_at: at }) => attempts?.N === "0" && !at);
      const published = retried.map(({ waits: _, ...item }) => ({
        ...item,
        published_at: { S: new Date().toISOString() },
      }));
      if (published.length > 0) await tables.put(table, published);
    },
    publishAll: async () => undefined,
    drop: () => tables.drop(),
  };
}

const SHOPS = [
  { kind: "mysql", open: openMysqlShop, republishes: true },
  { kind: "dynamodb", open: openDynamodbShop, republishes: false },
];

describe.each(SHOPS)("an operation over a filter in $kind", ({ open, republishes }) => {
  const records = testDatabase("migrated");
  let shop: Shop;
  let runtime: Runtime;
  let monitor: MonitorHandle | null = null;
  beforeEach(async () => {
    shop = await open();
    const config = configSchema.parse({
      console: { databaseUrl: records().url },
      stores: { shop: shop.store },
      sinks: { stdout: { kind: "log" } },
      outboxes: {
        orders: { store: "shop", table: shop.table, mode: "operate", columns: COLUMNS, deadAttempts: DEAD_ATTEMPTS },
      },
    });
    await migrateStore(config, "shop");
    runtime = openRuntime({ config, applicationName: "outbox-console test", env: {} });
    // On a busy machine the first look at a catalog may take longer than a request waits for it.
    await waitFor(() => runtime.outbox("orders"), { message: "the catalog is read" });
  });
  afterEach(async () => {
    await monitor?.stop();
    await runtime.close();
    await shop.drop();
  });

  test("retries all that match, and follows each until it is published", async () => {
    monitor = await startMonitor({ runtime, leaseMs: 20_000, renewMs: 100 });
    const request = operationRequestSchema.parse({ action: "retry", filter: { state: "dead" }, reason: "INC-42" });
    const command = { ctx: contextOf(runtime), outbox: "orders", request, idempotencyKey: randomUUID() };
    // The monitor is not alive before it has its lease.
    const { id } = await waitFor(() => startOperation(command), { message: "the operation is started" });
    const finished = async () => {
      await shop.publish();
      const { bulk } = await getOperation({ runtime, id });
      return bulk?.state === "finished" && bulk;
    };
    const { counts, canary } = await waitFor(finished, { message: "the operation has finished" });
    expect(counts).toMatchObject({ selected: MESSAGES, published: MESSAGES, left: 0, released: 0, failed_again: 0 });
    // More than ten, where an answer was lost and another message was taken instead.
    expect(canary?.size).toBeGreaterThanOrEqual(10);
    expect(canary).toMatchObject({ published: canary?.size, passed: true });
    const { items } = await listItems({ runtime, id, query: { limit: 1000, outcome: "published" } });
    expect(items).toHaveLength(MESSAGES);
    const { operations } = await listOperations({ runtime, query: { limit: 50 } });
    expect(operations).toMatchObject([{ id, finished: true }]);
  });

  test(`${republishes ? "sends published messages once more" : "refuses to re-publish"}`, async () => {
    const receiver = await startHttpReceiver();
    onTestFinished(() => receiver.close());
    const stdout = sinkSchema.parse({ kind: "http", url: receiver.url });
    monitor = await startMonitor({
      ...{ runtime, leaseMs: 20_000, renewMs: 100 },
      openReplaySink: (input) =>
        openReplaySink({ ...input, runtime: { ...runtime, config: { ...runtime.config, sinks: { stdout } } } }),
    });
    const filter = { state: "published" as const };
    const start = () =>
      startOperation({
        ctx: contextOf(runtime, ADMIN),
        outbox: "orders",
        request: operationRequestSchema.parse({ action: "republish", filter, sink: "stdout", reason: "INC-42" }),
        idempotencyKey: randomUUID(),
      });
    if (!republishes) return expect(start()).rejects.toMatchObject({ code: "wrong_state" });
    await shop.publishAll();
    const { id } = await waitFor(start, { message: "the operation is started" });
    const finished = async () => (await getOperation({ runtime, id })).bulk?.state === "finished";
    await waitFor(finished, { message: "the operation has finished" });
    expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(MESSAGES);
    expect(receiver.requests.map(({ body }) => body.toString())).toEqual(Array(MESSAGES).fill("{}"));
    expect(receiver.requests.every(({ headers }) => headers["outbox-replay"] === id)).toBe(true);
  });
});
