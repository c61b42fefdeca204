import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { readFreshMarks } from "./read-fresh-marks.ts";
import { readLogReaders } from "./read-log-readers.ts";

const database = testDatabase("migrated");
const time = (name: string) => ({
  ...{ name, type: "timestamptz", nullable: true, from: "shape" as const },
  time: { kind: "timestamptz" as const },
});
const ref = {
  name: "orders",
  storeSide: true,
  mapping: { table: { schema: "public", name: "events" }, columns: { publishedAt: time("published_at") } },
} as unknown as OutboxRef;
let slot: string;
let readers: pg.Client[];

beforeEach(async () => {
  slot = `r_${database().name}`.slice(0, 60);
  readers = [];
  await database().pool.query(`DROP TABLE IF EXISTS events, others CASCADE; DROP PUBLICATION IF EXISTS every_table;
    CREATE TABLE events (id bigserial PRIMARY KEY, payload jsonb, published_at timestamptz);
    CREATE TABLE others (id int PRIMARY KEY);
    DROP PUBLICATION IF EXISTS "Our ""Events"; DROP PUBLICATION IF EXISTS only_others;
    CREATE PUBLICATION "Our ""Events" FOR TABLE events, others; CREATE PUBLICATION only_others FOR TABLE others;
    CREATE PUBLICATION every_table FOR ALL TABLES`);
  await database().pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
});

afterEach(async () => {
  const { pool } = database();
  await pool.query("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1", [slot]);
  await waitFor(async () => (await pool.query(DROP, [slot])).rowCount === 1, { message: "the slot is dropped" });
  await Promise.all(readers.map((reader) => reader.end().catch(() => undefined)));
});
const DROP = "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND NOT active";

/** Reads the slot, as a connector does. */
async function stream(publications: string, applicationName = "Debezium Streaming"): Promise<void> {
  const reader = new pg.Client({
    connectionString: database().url,
    replication: "database",
    application_name: applicationName,
  } as pg.ClientConfig);
  reader.on("error", () => undefined);
  await reader.connect();
  readers.push(reader);
  const names = publications.replaceAll("'", "''");
  reader
    .query(`START_REPLICATION SLOT "${slot}" LOGICAL 0/0 ("proto_version" '1', "publication_names" '${names}')`)
    .catch(() => undefined);
  const active = "SELECT 1 FROM pg_replication_slots WHERE slot_name = $1 AND active";
  await waitFor(async () => (await database().pool.query(active, [slot])).rowCount === 1, {
    message: "the slot is read",
  });
}

async function inTransaction<Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> {
  const client = await database().pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}
const read = () => inTransaction((client) => readLogReaders(client, ref));
const marks = () => inTransaction((client) => readFreshMarks(client, ref));

test("a session that reads a publication of the table is named, with what identifies it", async () => {
  await stream(`only_others,"Our ""Events"`);
  expect(await read()).toMatchObject({
    hidden: [],
    readers: [{ slot, applicationName: "Debezium Streaming", pid: expect.any(Number), publications: ['Our "Events'] }],
  });
});

test.each(["only_others", "every_table", "no_such_publication"])(
  "a session that reads %s is not: nothing there names the table",
  async (publication) => {
    await stream(publication);
    expect(await read()).toEqual({ readers: [], hidden: [] });
  },
);

test("our own reader is not a foreign one", async () => {
  await stream(`"Our ""Events"`, "outbox-console relay");
  expect(await read()).toEqual({ readers: [], hidden: [] });
});

test("a slot that nobody reads says nothing", async () => {
  expect(await read()).toEqual({ readers: [], hidden: [] });
});

test("a session whose command this user may not see is hidden, not absent", async () => {
  await stream(`"Our ""Events"`);
  const role = `reader_${database().name}`.slice(0, 60);
  await database().pool.query(`CREATE ROLE "${role}"`);
  const found = await inTransaction(async (client) => {
    await client.query(`BEGIN; SET LOCAL ROLE "${role}"`);
    const readers = await readLogReaders(client, ref);
    await client.query("ROLLBACK");
    return readers;
  });
  await database().pool.query(`DROP ROLE "${role}"`);
  expect(found).toEqual({ readers: [], hidden: [slot] });
});

test("marks of the last minute are counted, older ones and unmarked rows are not", async () => {
  await database().pool.query(`INSERT INTO events (published_at)
    SELECT CASE n % 3 WHEN 0 THEN now() WHEN 1 THEN now() - interval '2 min' END FROM generate_series(1, 9) n`);
  expect(await marks()).toMatchObject({ messages: 3, capped: false, column: "published_at" });
});

test("marks that a change-over has just set are nobody else's", async () => {
  await database().pool.query("INSERT INTO events (published_at) VALUES (now())");
  const audit = (age: string) =>
    database().pool.query(
      `INSERT INTO outbox_console.audit (at, actor, role, action, outbox, outcome)
       VALUES (clock_timestamp() - $1::interval, 'ana', 'admin', 'relay.change_over', 'orders', 'done')`,
      [age],
    );
  await audit("2 min");
  expect(await marks()).toMatchObject({ messages: 1 });
  await audit("1 s");
  expect(await marks()).toBeNull();
});
