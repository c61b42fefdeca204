import { randomUUID } from "node:crypto";
import { getPostgreSQLEventStore } from "@event-driven-io/emmett-postgresql";
import { runMigrations } from "graphile-worker";
import pg from "pg";
import { PgBoss } from "pg-boss";
import {
  DatabaseSetup,
  getDisabledLogger,
  initializeMessageStorage,
  initializePollingMessageListener,
  type PollingListenerConfig,
} from "pg-transactional-outbox";
import { afterAll, afterEach, expect, test } from "vitest";
import { targetedRequestSchema } from "#contracts/message/operations.ts";
import { ADMIN, contextOf, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { getMessage } from "../messages/get-message.ts";
import { listMessages } from "../messages/list-messages.ts";
import { performOperation } from "../operations/perform-operation.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import type { Runtime } from "../runtime.ts";

/** The libraries themselves, as npm has them: they create their tables, write rows and take them. */
const database = testDatabase("migrated");
let runtime: Runtime;
afterEach(() => runtime.close());

/** Emmett sets them for the whole process, which other test files share. */
const { INT8, JSON: JSON_TYPE, JSONB } = pg.types.builtins;
const parsers = [INT8, JSON_TYPE, JSONB].map((type) => ({ type, parse: pg.types.getTypeParser(type) }));
afterAll(() => {
  for (const { type, parse } of parsers) pg.types.setTypeParser(type, parse);
});

const query = (sql: string) => database().pool.query(sql);

async function act(action: string, id: string): Promise<void> {
  const { message } = await getMessage({ runtime, outbox: "orders", id });
  const request = targetedRequestSchema.parse({
    action,
    targets: [{ id, version: message.version }],
    reason: "tried with the library itself",
  });
  const input = { ctx: contextOf(runtime, ADMIN), outbox: "orders", request, idempotencyKey: null };
  expect((await performOperation(input)).done).toBe(1);
}

test("pg-transactional-outbox takes a message again after our retry, and leaves it after our dead-letter", async () => {
  const library = await transactionalOutbox();
  runtime = openOperatedRuntime(database().url, "public.outbox");
  const dead = async () =>
    (await listMessages({ runtime, outbox: "orders", query: { state: "dead", limit: 10 } })).messages.map(
      (one) => one.id,
    );

  const [retried, left] = [await library.add(), await library.add()];
  const refusing = library.listen(() => {
    throw new Error("the broker refuses");
  });
  await waitFor(async () => (await dead()).length === 2, { message: "the library has abandoned both" });
  await refusing.stop();
  await act("retry", retried);
  const discarded = await library.add();
  await act("dead-letter", discarded);

  const handled: string[] = [];
  const listener = library.listen((id) => handled.push(id));
  await waitFor(() => handled.includes(retried), { message: "the library has taken the retried message" });
  const later = await library.add();
  await waitFor(() => handled.includes(later), { message: "the library goes on" });
  await listener.stop();
  expect(handled).toEqual([retried, later]);
  expect((await dead()).toSorted()).toEqual([left, discarded].toSorted());
});

test("Emmett's events are unknown, with the place of its checkpoints", async () => {
  const events = getPostgreSQLEventStore(database().url);
  try {
    await events.appendToStream("order-1", [{ type: "OrderPlaced", data: { n: 1 } }]);
    runtime = openOperatedRuntime(database().url, "public.emt_messages", { mode: "observe" });
    const { messages } = await listMessages({ runtime, outbox: "orders", query: { state: "all", limit: 10 } });
    expect(messages).toMatchObject([{ state: "unknown", eventType: "OrderPlaced" }]);
    const { problems } = await listOutboxes({ runtime });
    expect(problems.map(({ message }) => message).join()).toContain("emt_processors");
  } finally {
    await events.close();
  }
});

test("pg-boss and Graphile Worker keep jobs: their tables are left alone", async () => {
  const boss = new PgBoss(database().url);
  await boss.start();
  await boss.createQueue("mails");
  await boss.send("mails", { to: "ada" });
  await boss.stop();
  await runMigrations({ connectionString: database().url });
  runtime = openOperatedRuntime(database().url, "public.nothing");
  const { outboxes, candidates } = await listOutboxes({ runtime });
  const tables = [...outboxes, ...candidates].map(({ table }) => table);
  expect(tables.filter((table) => /pgboss|graphile/.test(table))).toEqual([]);
});

/** Its own table, producer and polling listener, which gives a message up after two attempts. */
async function transactionalOutbox() {
  const setup = {
    ...{ outboxOrInbox: "outbox" as const, schema: "public", table: "outbox", database: "", listenerRole: "postgres" },
    ...{ nextMessagesSchema: "public", nextMessagesName: "next_outbox_messages" },
  };
  await query(DatabaseSetup.dropAndCreateTable(setup));
  await query(DatabaseSetup.createPollingFunction(setup));
  const config: PollingListenerConfig = {
    outboxOrInbox: "outbox",
    dbListenerConfig: { connectionString: database().url },
    settings: {
      ...{ dbSchema: "public", dbTable: "outbox", nextMessagesFunctionName: "next_outbox_messages" },
      ...{ nextMessagesPollingIntervalInMs: 50, nextMessagesLockInMs: 10, maxAttempts: 2 },
      ...{ enableMaxAttemptsProtection: true, enablePoisonousMessageProtection: false },
    },
  };
  const store = initializeMessageStorage(config, getDisabledLogger());
  return {
    async add(): Promise<string> {
      const id = randomUUID();
      const client = await database().pool.connect();
      try {
        await store({ id, aggregateType: "order", aggregateId: id, messageType: "placed", payload: { n: 1 } }, client);
      } finally {
        client.release();
      }
      return id;
    },
    listen(take: (id: string) => void): { stop: () => Promise<void> } {
      const handle = async ({ id }: { id: string }) => take(id);
      const [stop] = initializePollingMessageListener(config, { handle }, getDisabledLogger());
      return { stop };
    },
  };
}
