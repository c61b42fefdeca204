import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestTables } from "#tests/dynamodb/test-tables.ts";
import { borrowMysqlDatabase } from "#tests/mysql.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { configSchema } from "../config/config-schema.ts";
import { openRuntime, type Runtime } from "../runtime.ts";
import { getReconciliation } from "./get-reconciliation.ts";

const database = testDatabase("empty");
const HOUR_MS = 3_600_000;

type Config = Parameters<typeof configSchema.parse>[0] & object;

/** An inbox in a separate store, which has processed some messages of an outbox on Postgres. */
interface Elsewhere {
  store: Record<string, unknown>;
  table: string;
  drop(): Promise<void>;
}

/** Its ids are text in upper case. */
async function onMysql(processed: readonly Message[]): Promise<Elsewhere> {
  const other = await borrowMysqlDatabase("mysql");
  await other.query(
    "CREATE TABLE processed_events (event_id varchar(36) PRIMARY KEY, processed_at datetime(6) NOT NULL)",
  );
  for (const { id, at } of processed)
    await other.query("INSERT INTO processed_events VALUES (?, ?)", [
      id.toUpperCase(),
      at.slice(0, 23).replace("T", " "),
    ]);
  return {
    store: { kind: "mysql", url: other.url, ownDatabase: other.own.database },
    table: `${other.name}.processed_events`,
    drop: () => other.drop(),
  };
}

async function onDynamodb(processed: readonly Message[]): Promise<Elsewhere> {
  const tables = openTestTables();
  const table = await tables.create("processed", {
    KeySchema: [{ AttributeName: "event_id", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "event_id", AttributeType: "S" }],
  });
  await tables.put(
    table,
    processed.map(({ id, at }) => ({ event_id: { S: id }, processed_at: { S: at } })),
  );
  return {
    store: {
      ...{ kind: "dynamodb", region: "eu-central-1", endpoint: tables.url, ownTable: `${tables.prefix}own` },
      families: { processed: { table, attributes: { processed_at: "time" } } },
    },
    table: "processed",
    drop: () => tables.drop(),
  };
}

interface Message {
  id: string;
  at: string;
}

/** Published 1 to 20 hours ago; each row has a unique id and, as in many tables, a number as its primary key. */
async function publish(): Promise<Message[]> {
  const messages = Array.from({ length: 20 }, (_, n) => ({
    id: randomUUID(),
    at: new Date(Date.now() - (n + 1) * HOUR_MS).toISOString(),
  }));
  const { pool } = database();
  await pool.query(`DROP TABLE IF EXISTS outbox_events;
    CREATE TABLE outbox_events (id uuid NOT NULL UNIQUE, position bigserial PRIMARY KEY, aggregate_id text, event_type text NOT NULL,
      payload jsonb NOT NULL, created_at timestamptz NOT NULL, published_at timestamptz)`);
  for (const { id, at } of messages)
    await pool.query(
      "INSERT INTO outbox_events (id, event_type, payload, created_at, published_at) VALUES ($1, 'order.placed', '{}', $2, $2)",
      [id, at],
    );
  return messages;
}

test.each([
  ["MySQL", onMysql],
  ["DynamoDB", onDynamodb],
])("an inbox on %s is compared with an outbox on Postgres, message by message", async (_, open) => {
  const messages = await publish();
  const lost = messages[4]?.id;
  const other = await open(messages.filter(({ id }) => id !== lost));
  const config: Config = {
    stores: { shop: { kind: "postgres", url: database().url }, far: other.store },
    outboxes: { orders: { store: "shop", table: "public.outbox_events" } },
    inboxes: { loyalty: { store: "far", table: other.table, outbox: "orders", processWithin: "5m" } },
  };
  let runtime: Runtime | null = null;
  try {
    const opened = openRuntime({ config: configSchema.parse(config), applicationName: "outbox-console test", env: {} });
    runtime = opened;
    const { outboxes, rows } = await waitFor(
      async () => {
        const read = await getReconciliation({ runtime: opened, inbox: "loyalty" });
        return read.outboxes[0]?.check ? read : null;
      },
      { message: "the inbox is checked" },
    );
    expect(outboxes[0]?.check).toMatchObject({
      ...{ checked: 20, processed: 19, notProcessed: { value: 1, precision: "exact" } },
      messages: [{ eventId: lost, seenAs: "absent" }],
    });
    expect(rows.unchecked?.reason).toBe("The id that consumers record is not the primary key of outbox orders.");
  } finally {
    await runtime?.close();
    await other.drop();
  }
});
