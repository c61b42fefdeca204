import { afterEach, beforeEach, expect, test } from "vitest";
import type { MessageFilter } from "#db/stores/port/message-row.ts";
import type { OutboxStore, Store } from "#db/stores/port/store.ts";
import { testDatabase } from "#tests/postgres.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { MAPPING } from "../relay/relay-box.fixture.ts";

const database = testDatabase("migrated");
let store: Store;
let outbox: OutboxStore;

beforeEach(async () => {
  const { pool, url } = database();
  await pool.query(
    `CREATE TABLE box (id bigserial PRIMARY KEY, aggregate_id text, payload text, created_at timestamptz DEFAULT now(), published_at timestamptz);
     INSERT INTO box (aggregate_id, payload) VALUES ('a', 'x');
     INSERT INTO outbox_console.delivery (outbox, message_id, attempts, next_attempt_at, dead_at, last_failed_at, fingerprint)
     VALUES ('orders', '1', 2, now(), NULL, now(), 'f'), ('orders', '7', 2, now(), NULL, now(), 'f'), ('orders', '8', 0, now(), NULL, NULL, NULL), ('orders', '9', 3, NULL, now(), now(), 'f')`,
  );
  store = openPostgresStore({ name: "shop", url, applicationName: "outbox-console test" });
});
afterEach(async () => {
  await store.close();
  await database().pool.query("DROP TABLE box; TRUNCATE outbox_console.delivery");
});

/** A relay by log that marks nothing: producers delete rows in the transaction that inserts them. */
test("messages whose rows are gone are counted, and each list says how many it lacks", async () => {
  const mapping = { ...MAPPING, lifecycle: { kind: "log" as const, native: MAPPING.lifecycle as never } };
  outbox = store.outbox({ name: "orders", mapping, storeSide: true, maxAttempts: null, estimatedRows: 1 });
  const { counts } = await outbox.read.figures();
  expect([counts.failed.value, counts.dead.value, counts.pending.value]).toEqual([2, 1, 1]);
  const listed = async (state: MessageFilter["state"]) => {
    const { rows, recordedOnly } = await outbox.read.list({ filter: { state }, limit: 10 });
    return [rows.length, recordedOnly.value];
  };
  expect(await listed("failed")).toEqual([1, 1]);
  expect(await listed("dead")).toEqual([0, 1]);
  expect(await listed("failing")).toEqual([1, 2]);
  expect(await listed("pending")).toEqual([0, 1]);
  expect(await listed("unsent")).toEqual([1, 2]);
  expect(await listed("published")).toEqual([0, 0]);
});

test("where rows tell, a record without a row is left over and says nothing", async () => {
  outbox = store.outbox({ name: "orders", mapping: MAPPING, storeSide: true, maxAttempts: null, estimatedRows: 1 });
  expect((await outbox.read.figures()).counts).toMatchObject({ failed: { value: 1 }, dead: { value: 0 } });
  const { recordedOnly } = await outbox.read.list({ filter: { state: "failing" }, limit: 10 });
  expect(recordedOnly).toEqual({ value: 0, capped: false });
});

test("behind a failed one its own aggregate is counted, however many records wait for something else", async () => {
  await database().pool.query(
    `TRUNCATE outbox_console.delivery;
     INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, attempts, next_attempt_at, created_at, fingerprint)
     SELECT 'orders', n::text, CASE WHEN n <= 3 THEN 'a' ELSE 'paused' END, CASE WHEN n = 1 THEN 2 ELSE 0 END, now() + n * interval '1 ms',
       now() - n * interval '1 s', CASE WHEN n = 1 THEN 'f' END FROM generate_series(1, 12000) n`,
  );
  const mapping = { ...MAPPING, lifecycle: { kind: "log" as const, native: MAPPING.lifecycle as never } };
  outbox = store.outbox({ name: "orders", mapping, storeSide: true, maxAttempts: null, estimatedRows: 1 });
  const { waiting, counts } = await outbox.read.figures();
  expect(waiting.blocked).toMatchObject({ messages: 2, aggregates: 1, capped: false });
  expect(waiting.oldest?.ageSeconds).toBeGreaterThan(9_000);
  expect([counts.failed, counts.dead]).toMatchObject([
    { value: 1, precision: "exact" },
    { value: 0, precision: "exact" },
  ]);
  expect(counts.pending).toEqual({ value: 10_001, precision: "capped" });
});
