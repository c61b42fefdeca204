import openKnex from "knex";
import { createPool as createCallbackPool } from "mysql2";
import { createPool, type Pool as MysqlPool } from "mysql2/promise";
import type { Pool } from "pg";
import { expect, test } from "vitest";
import { z } from "zod";
import { testMysqlDatabase } from "../tests/mysql.ts";
import { testDatabase } from "../tests/postgres.ts";
import { drizzle } from "./adapters/drizzle.ts";
import { knex } from "./adapters/knex.ts";
import { mysql2 } from "./adapters/mysql2.ts";
import { pg } from "./adapters/pg.ts";
import { createDynamodbOutbox } from "./dynamodb/create-dynamodb-outbox.ts";
import { isClientError } from "./errors.ts";
import { defineEvents } from "./events/define-events.ts";
import { createInbox } from "./inbox/create-inbox.ts";
import { fromKafka, fromNats, fromRabbit, fromRedis } from "./messages/from-brokers.ts";
import { fromHttp } from "./messages/from-http.ts";
import { createOutbox } from "./outbox/create-outbox.ts";
import { expiringDedupe } from "./redis/expiring-dedupe.ts";
import type { Adapter } from "./sql/adapter.ts";
import { contractEvents, contractPayload } from "./testing/contract-events.ts";
import { contractMessage } from "./testing/inbox-contract.ts";

const database = testDatabase("empty");
const mysqlDatabase = testMysqlDatabase("mysql", "empty");

/** The error message for code without types. */
async function sentence(misuse: () => unknown): Promise<string> {
  try {
    await misuse();
  } catch (error) {
    if (isClientError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "nothing was wrong";
}

const outbox = createOutbox(contractEvents, { via: pg() });
const inbox = createInbox(contractEvents, { via: pg(), consumer: "misused", maxAttempts: 1 });

test.each([
  [
    "no options",
    () => createOutbox(contractEvents, undefined as never),
    /^invalid_input: createOutbox needs the option via/,
  ],
  ["an adapter that was not called", () => createOutbox(contractEvents, { via: pg as never }), /needs the option via/],
  ["Drizzle without its sql", () => drizzle(undefined as never), /^invalid_input: drizzle takes Drizzle's own sql/],
  [
    "an option that does not exist",
    () => createOutbox(contractEvents, { via: pg(), tabel: "o" } as never),
    /has no option tabel/,
  ],
  [
    "an inbox without options",
    () => createInbox(contractEvents, undefined as never),
    /createInbox needs the option via/,
  ],
  ["an inbox without consumer", () => createInbox(contractEvents, { via: pg() } as never), /needs the consumer's name/],
  ["a registry that is a plain object", () => createOutbox({ "a.b": {} } as never, { via: pg() }), /defineEvents\(/],
  ["an inbox without registry", () => createInbox(undefined as never, { via: pg(), consumer: "c" }), /defineEvents\(/],
  ["a registry without definitions", () => defineEvents(undefined as never), /defineEvents takes an object/],
  [
    "a guard that does not exist",
    () => createOutbox(contractEvents, { via: pg(), guard: "strickt" as never }),
    /guard of createOutbox is "strickt"; it may be "handle" or "strict"/,
  ],
  [
    "a dialect that does not exist",
    () => createOutbox(contractEvents, { via: knex({ dialect: "mariadb" as never }) }),
    /dialect of the adapter of Knex is "mariadb"; it may be "postgres" or "mysql"/,
  ],
  [
    "a way to treat unknown types that does not exist",
    () => createInbox(contractEvents, { via: pg(), consumer: "c", unknownTypes: "ignore" as never }),
    /unknownTypes of createInbox is "ignore"; it may be "refuse" or "skip"/,
  ],
  [
    "a behaviour that does not exist",
    () => createInbox(contractEvents, { via: pg(), consumer: "c", concurrent: true as never }),
    /concurrent of createInbox is true; it may be "wait" or "skip"/,
  ],
  [
    "a type of column that does not exist",
    () =>
      createOutbox(contractEvents, {
        via: pg(),
        columns: { id: { name: "id", type: "serial" as never }, eventType: "event_type", payload: "payload" },
      }),
    /type of the column id is "serial"; it may be "uuid", .*"generated"/,
  ],
  ["a table without a name", () => createOutbox(contractEvents, { via: pg(), table: "" }), /"" is not a name/],
  ["SQL for another database", () => outbox.schema("mariadb" as never), /dialect of schema is "mariadb"; it may be/],
  ["SQL of an inbox for it", () => inbox.schema("sqlite" as never), /dialect of schema is "sqlite"; it may be/],
  [
    "an option of DynamoDB that does not exist",
    () => createDynamodbOutbox(contractEvents, { table: "t", prefix: "O#" } as never),
    /createDynamodbOutbox has no option prefix/,
  ],
  ["no table of DynamoDB", () => createDynamodbOutbox(contractEvents, undefined as never), /needs the option table/],
  [
    "a client of Redis in place of an adapter",
    () => expiringDedupe(contractEvents, { via: {} as never, consumer: "c", keepFor: "1h" }),
    /needs the option via: ioredis\(client\)/,
  ],
  ["no record", () => fromKafka(undefined as never), /fromKafka needs the record/],
  ["no message", () => fromRabbit(null as never), /fromRabbit needs the message/],
  ["no message of NATS", () => fromNats(undefined as never), /fromNats needs the message/],
  ["no fields", () => fromRedis(undefined as never), /fromRedis needs the fields/],
  ["no request", () => fromHttp(undefined as never, { secret: null }), /Pass the raw body/],
  [
    "no options for a request",
    () => fromHttp({ headers: {}, body: "{}" }, undefined as never),
    /needs the option secret/,
  ],
  ["what KafkaJS hands over", () => fromKafka({ topic: "t", message: { value: "{}" } } as never), /pass its message/],
])("%s is refused with a sentence", async (_, misuse, expected) => {
  expect(await sentence(misuse)).toMatch(expected);
});

test.each([
  ["an event as an object", { type: "contract.checked", payload: {} }],
  ["a list of objects", [{ type: "contract.checked", payload: {} }]],
])("add refuses %s", async (_, given) => {
  const added = pg().transaction(database().pool, (tx) => outbox.add(tx, given as never));
  expect(await sentence(() => added)).toMatch(/^invalid_input: add takes one event, \(tx, type, payload/);
});

test("an event of a list is refused with its place in the list", async () => {
  const list = ["a", "b", 3, "d"].map((key) => ["contract.checked", contractPayload(key as string)] as const);
  const added = pg().transaction(database().pool, (tx) => outbox.add(tx, list));
  expect(await sentence(() => added)).toMatch(/^invalid_payload: Event 3 of 4: The payload of contract\.checked does/);
});

test("a key that the payload lacks is refused: without it the event would have no order", async () => {
  const keyless = defineEvents({
    "order.placed": {
      version: 1,
      aggregate: "order",
      key: (order: { orderID?: string }) => order.orderID as string,
      schema: z.looseObject({}),
    },
  });
  const unordered = createOutbox(keyless, { via: pg() });
  const added = pg().transaction(database().pool, (tx) => unordered.add(tx, "order.placed", { orderId: "1" }));
  expect(await sentence(() => added)).toMatch(/^invalid_input: The key of order.placed is not a string/);
});

test("cancel without an id is refused", async () => {
  const cancelled = pg().transaction(database().pool, (tx) => outbox.cancel(tx, undefined as never));
  expect(await sentence(() => cancelled)).toMatch(/^invalid_input: cancel takes \(tx, id\)/);
});

test("an event that is too large is refused with the ways to send it", async () => {
  const small = createOutbox(contractEvents, { via: pg(), maxBytes: 10 });
  const added = pg().transaction(database().pool, (tx) => small.add(tx, "contract.checked", contractPayload("k")));
  expect(await sentence(() => added)).toMatch(/^too_large: .*at most 10 .*raise maxBytes/);
});

test("an adapter for the other database is refused, and shows no payload", async () => {
  const db = openKnex({ client: "mysql2", connection: mysqlDatabase().url });
  try {
    const forPostgres = createOutbox(contractEvents, { via: knex() });
    const added = knex().transaction(db, (tx) => forPostgres.add(tx, "contract.checked", contractPayload("a-secret")));
    const said = await sentence(() => added);
    expect(said).toMatch(/^invalid_input: The adapter of Knex wrote SQL for Postgres.*dialect: "mysql"/);
    expect(said).not.toContain("a-secret");
  } finally {
    await db.destroy();
  }
});

test("a table that a trigger misses is not called the outbox", async () => {
  const { pool } = database();
  const audited = createOutbox(contractEvents, { via: pg(), table: "audited" });
  await pool.query(audited.schema());
  await pool.query(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO notes VALUES (1); RETURN NEW; END';
    CREATE TRIGGER note BEFORE INSERT ON audited FOR EACH ROW EXECUTE FUNCTION note()`);
  const added = pg().transaction(pool, (tx) => audited.add(tx, "contract.checked", contractPayload("k")));
  await expect(added).rejects.toThrow(/^relation "notes" does not exist$/);
});

test("a role that may not write, and a transaction that may not, are refused with what to do", async () => {
  const { pool } = database();
  const named = createOutbox(contractEvents, { via: pg(), table: "ungranted" });
  await pool.query(named.schema());
  const role = `reader_${crypto.randomUUID().slice(0, 8)}`;
  await pool.query(`CREATE ROLE ${role}`);
  const add = (setting: string) =>
    pg().transaction(pool, async (tx) => {
      await tx.query(setting);
      return named.add(tx, "contract.checked", contractPayload("k"));
    });
  expect(await sentence(() => add(`SET LOCAL ROLE ${role}`))).toMatch(
    /^unusable_table: This database user may not use ungranted: grant it INSERT and SELECT/,
  );
  expect(await sentence(() => add("SET TRANSACTION READ ONLY"))).toMatch(
    /^invalid_input: This transaction is read-only/,
  );
  await pool.query(`DROP ROLE ${role}`);
});

test("a value that is longer than its column is refused with what to do", async () => {
  const add = <Tx, Db>(via: Adapter<Tx, Db>, db: Db, table: string) => {
    const narrow = createOutbox(contractEvents, { via, table });
    return via.transaction(db, (tx) => narrow.add(tx, "contract.checked", contractPayload("k".repeat(300))));
  };
  const expected = /^unusable_table: A value is longer than its column of narrow takes.*(?:Data|value) too long/;
  const { pool } = database();
  const schema = createOutbox(contractEvents, { via: pg(), table: "narrow" }).schema();
  await pool.query(schema.replace("aggregate_id text", "aggregate_id varchar(255)"));
  expect(await sentence(() => add(pg(), pool, "narrow"))).toMatch(expected);
  await mysqlDatabase().query(createOutbox(contractEvents, { via: mysql2(), table: "narrow" }).schema());
  const mysqlPool = createPool({ uri: mysqlDatabase().url, connectionLimit: 1 });
  try {
    expect(await sentence(() => add(mysql2(), mysqlPool, "narrow"))).toMatch(expected);
  } finally {
    await mysqlPool.end();
  }
});

test("a table without the unique key by which repeats are recognised is refused, before the work runs again", async () => {
  const { pool } = database();
  const counting = { table: "keyless" };
  const marks = {
    table: "keyless_marks",
    columns: { consumer: "consumer", messageId: "event_id", processedAt: "done_at" },
  };
  const work = async () => "done";
  const expected = /^unusable_table: keyless(_marks)? .*unique key over consumer, (message|event)_id/;

  const schema = createInbox(contractEvents, { via: pg(), consumer: "c", ...counting }).schema();
  await pool.query(schema.replace(/,\s*PRIMARY KEY \(consumer, message_id\)/, ""));
  await pool.query("CREATE TABLE keyless_marks (consumer text, event_id text, done_at timestamptz)");
  for (const layout of [counting, marks]) {
    const keyless = createInbox(contractEvents, { via: pg(), consumer: "c", ...layout });
    expect(await sentence(() => keyless.once(pool, contractMessage(), work))).toMatch(expected);
  }
  const outboxSchema = createOutbox(contractEvents, { via: pg(), table: "keyless_outbox" }).schema();
  await pool.query(outboxSchema.replace("id uuid PRIMARY KEY", "id uuid"));
  const add = (id?: string) =>
    pg().transaction(pool, (tx) =>
      createOutbox(contractEvents, { via: pg(), table: "keyless_outbox" }).add(
        tx,
        "contract.checked",
        contractPayload("k"),
        id ? { id } : {},
      ),
    );
  expect(await add()).toMatchObject({ added: true });
  expect(await sentence(() => add(crypto.randomUUID()))).toMatch(
    /^unusable_table: keyless_outbox .*unique key over id/,
  );

  const mysqlSchema = createInbox(contractEvents, { via: mysql2(), consumer: "c", ...counting }).schema();
  await mysqlDatabase().query(mysqlSchema.replace(/\s*PRIMARY KEY \(consumer, message_id\),/, ""));
  await mysqlDatabase().query(
    "CREATE TABLE keyless_marks (consumer varchar(64), event_id varchar(64), done_at datetime(6))",
  );
  const mysqlPool = createPool({ uri: mysqlDatabase().url, connectionLimit: 2 });
  try {
    for (const layout of [counting, marks]) {
      const keyless = createInbox(contractEvents, { via: mysql2(), consumer: "c", ...layout });
      const message = contractMessage();
      expect(await keyless.once(mysqlPool, message, work)).toMatchObject({ outcome: "processed" });
      let again = false;
      const repeat = keyless.once(mysqlPool, message, async () => {
        again = true;
      });
      expect(await sentence(() => repeat)).toMatch(expected);
      expect(again).toBe(false);
    }
  } finally {
    await mysqlPool.end();
  }
});

test("once refuses what is no message, no work and no pool, and counts nothing", async () => {
  const { pool } = database();
  await pool.query(inbox.schema());
  const message = contractMessage();
  const work = async () => "done";
  expect(await sentence(() => inbox.once(pool, { value: "{}" } as never, work))).toMatch(/no message of a reader/);
  expect(await sentence(() => inbox.once(pool, message, undefined as never))).toMatch(
    /The last argument must be a function/,
  );
  const client = await pool.connect();
  try {
    expect(await sentence(() => inbox.once(client as unknown as Pool, message, work))).toMatch(/a pool is needed/);
  } finally {
    client.release();
  }
  expect(await inbox.once(pool, message, work)).toMatchObject({ outcome: "processed" });
});

test("handles of mysql2 with callbacks are refused with a sentence", async () => {
  const pool = createCallbackPool({ uri: mysqlDatabase().url, connectionLimit: 1 });
  const outbox = createOutbox(contractEvents, { via: mysql2() });
  const once = (concurrent: "wait" | "skip") =>
    createInbox(contractEvents, { via: mysql2(), consumer: "misused", concurrent }).once(
      pool as unknown as MysqlPool,
      contractMessage(),
      async () => "done",
    );
  try {
    for (const concurrent of ["wait", "skip"] as const)
      expect(await sentence(() => once(concurrent))).toMatch(/^invalid_input: .*callbacks: pass its promise\(\)/);
    const add = new Promise<string>((resolve, reject) =>
      pool.getConnection((error, connection) => {
        if (error) return reject(error);
        const added = outbox.add(connection as never, "contract.checked", contractPayload("k"));
        resolve(sentence(() => added).finally(() => connection.release()));
      }),
    );
    expect(await add).toMatch(/^not_in_transaction: .*callbacks\. Pass its promise\(\)/);
  } finally {
    await pool.promise().end();
  }
});

test("once refuses a connection of mysql2", async () => {
  const mysqlInbox = createInbox(contractEvents, { via: mysql2(), consumer: "misused" });
  const pool = createPool({ uri: mysqlDatabase().url, connectionLimit: 1 });
  const connection = await pool.getConnection();
  try {
    const once = mysqlInbox.once(connection as unknown as MysqlPool, contractMessage(), async () => "done");
    expect(await sentence(() => once)).toMatch(
      /no handle of mysql2 that begins a transaction: it has no getConnection\(\)/,
    );
  } finally {
    connection.release();
    await pool.end();
  }
});
