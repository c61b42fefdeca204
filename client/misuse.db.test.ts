import { createPool, type Pool as MysqlPool } from "mysql2/promise";
import type { Pool } from "pg";
import { expect, test } from "vitest";
import { testMysqlDatabase } from "../tests/mysql.ts";
import { testDatabase } from "../tests/postgres.ts";
import { mysql2 } from "./adapters/mysql2.ts";
import { pg } from "./adapters/pg.ts";
import { isClientError } from "./errors.ts";
import { createInbox } from "./inbox/create-inbox.ts";
import { fromKafka } from "./messages/from-brokers.ts";
import { createOutbox } from "./outbox/create-outbox.ts";
import { contractEvents } from "./testing/contract-events.ts";
import { contractMessage } from "./testing/inbox-contract.ts";

const database = testDatabase("empty");
const mysqlDatabase = testMysqlDatabase("mysql", "empty");

/** What code without types gets to read. */
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

test("once refuses what is no message, no work and no pool, and counts nothing", async () => {
  const { pool } = database();
  await pool.query(inbox.schema());
  const message = contractMessage();
  const work = async () => "done";
  expect(await sentence(() => inbox.once(pool, { value: "{}" } as never, work))).toMatch(/no message of a reader/);
  expect(await sentence(() => inbox.once(pool, message, undefined as never))).toMatch(/The work is no function/);
  const client = await pool.connect();
  try {
    expect(await sentence(() => inbox.once(client as unknown as Pool, message, work))).toMatch(/a pool is needed/);
  } finally {
    client.release();
  }
  expect(await inbox.once(pool, message, work)).toMatchObject({ outcome: "processed" });
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
