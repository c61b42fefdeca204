import { afterEach, beforeEach, expect, test } from "vitest";
import type { OutboxPartitions, RetentionRule } from "#db/stores/port/retention.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import type { Runtime } from "#services/runtime.ts";
import { acceptFirstMapping } from "#services/stores/accept-first-mapping.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";

const database = testDatabase("migrated");
const RULE: RetentionRule = { keepSeconds: 86_400, how: "delete", reader: null };
let runtime: Runtime;
let partitions: OutboxPartitions;

const query = async (text: string, values: unknown[] = []) => (await database().pool.query(text, values)).rows;
const names = async () =>
  (await query("SELECT relid::regclass::text AS name FROM pg_partition_tree('outbox') WHERE isleaf ORDER BY 1")).map(
    ({ name }) => name,
  );
const insert = (createdAt: string, published: boolean) =>
  `INSERT INTO outbox VALUES (gen_random_uuid(), 'order', 'o-1', 'order.placed', '{}', '${createdAt}', ${published ? `'${createdAt}'` : "NULL"})`;

beforeEach(async () => {
  await query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await query(`TRUNCATE outbox_console.mapping_fingerprint`);
  await query(`CREATE TABLE outbox (id uuid NOT NULL, aggregate_type text NOT NULL, aggregate_id text NOT NULL, event_type text NOT NULL,
    payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, PRIMARY KEY (id, created_at)) PARTITION BY RANGE (created_at);
  CREATE TABLE outbox_p20240101 PARTITION OF outbox FOR VALUES FROM ('2024-01-01') TO ('2024-02-01');
  CREATE TABLE outbox_p20240201 PARTITION OF outbox FOR VALUES FROM ('2024-02-01') TO ('2024-03-01');
  CREATE TABLE outbox_now PARTITION OF outbox FOR VALUES FROM ('2024-03-01') TO ('2099-01-01')`);
  await query(insert("2024-01-10", true));
  await query(insert("2024-02-10", true));
  runtime = openOperatedRuntime(database().url, "public.outbox");
  const handle = await runtime.outbox("orders");
  const accepted = await acceptFirstMapping(runtime, handle, "test");
  const found = outboxOf({ ...handle, accepted }).partitions;
  if (!found) throw new Error("Postgres has partitions.");
  partitions = found;
});
afterEach(() => runtime.close());

test("partitions whose rows are all published and old are dropped; the current one stays", async () => {
  expect(await partitions.refuses()).toBe(null);
  const outcomes = await partitions.dropOld(RULE, 5);
  expect(outcomes.map(({ outcome, partition }) => [outcome, partition])).toEqual([
    ["dropped", "outbox_p20240101"],
    ["dropped", "outbox_p20240201"],
  ]);
  expect(await names()).toEqual(["outbox_now"]);
});

test("a row that is not published pins its partition, and no other", async () => {
  await query(insert("2024-01-11", false));
  expect(await partitions.dropOld(RULE, 5)).toMatchObject([
    { outcome: "pinned", partition: "outbox_p20240101" },
    { outcome: "dropped", partition: "outbox_p20240201" },
  ]);
  expect(await query("SELECT 1 FROM outbox WHERE published_at IS NULL")).toHaveLength(1);
});

test("a late writer that has not committed makes the drop give up, and its row is there afterwards", async () => {
  const writer = await database().pool.connect();
  await writer.query("BEGIN");
  await writer.query(insert("2024-01-12", false));
  expect(await partitions.dropOld(RULE, 1)).toMatchObject([
    { outcome: "contended", partition: "outbox_p20240101" },
    { outcome: "contended", partition: "outbox_p20240201" },
  ]);
  await writer.query("COMMIT");
  writer.release();
  expect(await partitions.dropOld(RULE, 5)).toMatchObject([{ outcome: "pinned" }, { outcome: "dropped" }]);
  expect(await query("SELECT 1 FROM outbox WHERE published_at IS NULL")).toHaveLength(1);
});

test("inserts go on while a drop waits for a reader, because it gives up", async () => {
  const reader = await database().pool.connect();
  await reader.query("BEGIN; SELECT count(*) FROM outbox");
  const drop = partitions.dropOld(RULE, 1);
  await query(insert("2026-01-01", false));
  expect((await drop).map(({ outcome }) => outcome)).toEqual(["contended", "contended"]);
  await reader.query("ROLLBACK");
  reader.release();
  expect(await names()).toHaveLength(3);
});

test("a row that came after its range had ended keeps the partition: more may come", async () => {
  await query("UPDATE outbox SET published_at = '2024-05-01' WHERE created_at < '2024-02-01'");
  expect(await partitions.dropOld(RULE, 5)).toMatchObject([
    { outcome: "pinned", why: expect.stringContaining("after its range had ended") },
    { outcome: "dropped" },
  ]);
});

test("a table that was changed since its mapping was accepted loses no partition", async () => {
  await query("ALTER TABLE outbox RENAME payload TO body");
  await expect(partitions.dropOld(RULE, 5)).rejects.toMatchObject({ code: "wrong_state" });
  expect(await names()).toHaveLength(3);
});

test("partitions are created ahead, months by the calendar, and not twice", async () => {
  const month = new Date();
  const from = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 1));
  const to = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1));
  await query("DROP TABLE outbox_now");
  await query(
    `CREATE TABLE outbox_current PARTITION OF outbox FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
  );
  const outcomes = await partitions.createAhead(3);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(["created", "created", "created"]);
  expect(await partitions.createAhead(3)).toEqual([]);
  const inSixtyDays = new Date(to.getTime() + 60 * 86_400_000).toISOString();
  await query(insert(inSixtyDays, false));
});

test("a pending detach, and a table that others reference, are left alone", async () => {
  const reader = await database().pool.connect();
  await reader.query("BEGIN; SELECT count(*) FROM outbox");
  const other = await database().pool.connect();
  await other.query("SET lock_timeout = 200");
  await expect(other.query("ALTER TABLE outbox DETACH PARTITION outbox_p20240101 CONCURRENTLY")).rejects.toThrow();
  await reader.query("ROLLBACK");
  for (const client of [reader, other]) client.release(true);
  expect(await partitions.refuses()).toContain("FINALIZE");
});
