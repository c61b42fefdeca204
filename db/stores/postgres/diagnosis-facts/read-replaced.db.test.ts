import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createPool } from "#db/stores/postgres/connection/pool.ts";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { acceptMapping } from "#services/mapping/accept-mapping.ts";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import { acceptFirstMapping } from "#services/stores/accept-first-mapping.ts";
import { ADMIN, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { readReplaced } from "./read-replaced.ts";

const database = testDatabase("migrated");
const query = (sql: string) => database().pool.query(sql);

beforeEach(() =>
  query(`DROP TABLE IF EXISTS outbox_events, outbox_events_old, outbox_other;
    DELETE FROM outbox_console.mapping_fingerprint;
    CREATE TABLE outbox_events (id int PRIMARY KEY, aggregate_id text, event_type text, payload jsonb,
      created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz);
    CREATE INDEX ON outbox_events (created_at) WHERE published_at IS NULL;
    INSERT INTO outbox_events (id, published_at) VALUES (1, now()), (2, NULL), (3, NULL)`),
);

/** As a process that has just started sees the table. */
async function open() {
  const runtime = openOperatedRuntime(database().url, "outbox_events", { columns: { publishedAt: "published_at" } });
  onTestFinished(() => runtime.close());
  return runtime;
}

async function accept() {
  const runtime = await open();
  await acceptMapping({ runtime, outbox: "orders", actor: ADMIN, reason: null });
}

async function read() {
  const ref = outboxRef(await (await open()).outbox("orders"));
  const options = { applicationName: "test", readOnly: false, max: 1, statementTimeoutMs: 5000 };
  const writes = createPool({ url: database().url, ...options });
  const pool = database().pool;
  return withReadTransaction(pool, 3000, (client) => readReplaced(client, () => writes, ref)).finally(() =>
    writes.end(),
  );
}

async function swap() {
  const runtime = await open();
  await acceptFirstMapping(runtime, await runtime.outbox("orders"), "ada");
  await query(`ALTER TABLE outbox_events RENAME TO outbox_events_old;
    CREATE TABLE outbox_events (LIKE outbox_events_old INCLUDING ALL)`);
}

const LEFT = { how: "renamed", table: "public.outbox_events", earlier: "public.outbox_events_old" };

test("a table that was swapped for another is named with its unsent messages once the new one is accepted", async () => {
  await swap();
  await accept();
  expect(await read()).toEqual({ ...LEFT, messages: 2, capped: false, maybePublished: false });
  await query("INSERT INTO outbox_events SELECT * FROM outbox_events_old WHERE id = 2");
  expect(await read()).toMatchObject({ messages: 1 });
  await query("INSERT INTO outbox_events SELECT * FROM outbox_events_old WHERE id = 3");
  expect(await read()).toBeNull();
  await query("DELETE FROM outbox_events");
  expect(await read(), "what was published and removed later is not missed").toBeNull();
});

test("to accept the new table once more ends it, and so does dropping the earlier one", async () => {
  await swap();
  await accept();
  await accept();
  expect(await read()).toBeNull();
  await query(
    "ALTER TABLE outbox_events RENAME TO outbox_other; CREATE TABLE outbox_events (LIKE outbox_other INCLUDING ALL)",
  );
  await query("INSERT INTO outbox_other (id) VALUES (7)");
  await accept();
  expect(await read()).toMatchObject({ earlier: "public.outbox_other", messages: 1 });
  await query("DROP TABLE outbox_other");
  expect(await read()).toBeNull();
});

test("each of several earlier tables counts", async () => {
  await swap();
  await accept();
  await query(
    "ALTER TABLE outbox_events RENAME TO outbox_other; CREATE TABLE outbox_events (LIKE outbox_other INCLUDING ALL)",
  );
  await accept();
  expect(await read()).toMatchObject(LEFT);
});

test("an earlier table with other columns may hold messages", async () => {
  await swap();
  await query("ALTER TABLE outbox_events_old RENAME COLUMN published_at TO sent_at");
  await accept();
  expect(await read()).toEqual({ ...LEFT, messages: null, capped: false, maybePublished: false });
});

test("of a restored dump, whose tables have other oids, no earlier table is known", async () => {
  await swap();
  await accept();
  expect(await read()).toMatchObject(LEFT);
  await query("UPDATE outbox_console.mapping_fingerprint SET server = '7000000000000000001/5'");
  expect(await read()).toBeNull();
  await query(
    "ALTER TABLE outbox_events RENAME TO outbox_other; CREATE TABLE outbox_events (LIKE outbox_other INCLUDING ALL)",
  );
  await accept();
  expect(await read(), "its old oid may be any table here").toBeNull();
});

test("a mapping that was accepted before servers were kept gets its server with the next reading", async () => {
  await swap();
  await query("ALTER TABLE outbox_events RENAME TO t; ALTER TABLE outbox_events_old RENAME TO outbox_events");
  await query("UPDATE outbox_console.mapping_fingerprint SET server = NULL");
  expect(await read()).toBeNull();
  await query("ALTER TABLE outbox_events RENAME TO outbox_events_old; ALTER TABLE t RENAME TO outbox_events");
  await accept();
  expect(await read()).toMatchObject(LEFT);
});
