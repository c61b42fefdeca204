import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OutboxPartitions, RetentionRule } from "#db/stores/port/retention.ts";
import { PINS } from "#db/stores/shared/retention/retention-words.ts";
import { listMessages } from "#services/messages/list-messages.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import type { Runtime } from "#services/runtime.ts";
import { acceptFirstMapping } from "#services/stores/accept-first-mapping.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { dropPartition } from "./drop-partition.ts";

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
  const ours = ["mapping_fingerprint", "claim", "suspect", "pause", "restored", "operation", "operation_item"];
  await query(`TRUNCATE ${ours.map((name) => `outbox_console.${name}`).join(", ")}`);
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

describe("what has come since the look without locks", () => {
  const PARTITION = { schema: "public", name: "outbox_p20240101", bytes: 0 };
  const oldId = async () => {
    const { messages } = await listMessages({ runtime, outbox: "orders", query: { state: "published", limit: 10 } });
    return messages.find(({ createdAt }) => createdAt?.startsWith("2024-01"))?.id;
  };
  /** As after a look that found nothing, with the table locked. */
  const dropNow = async (looked: { slot: string | null } = { slot: null }, rule = RULE) => {
    const handle = await runtime.outbox("orders");
    const accepted = await acceptFirstMapping(runtime, handle, "test");
    const ref = outboxRef({ ...handle, accepted });
    const outcome = await dropPartition(database().pool, ref, { rule, partition: PARTITION, ...looked });
    return "why" in outcome ? `${outcome.outcome}: ${outcome.why}` : outcome.outcome;
  };

  test("nothing: the partition goes", async () => {
    expect(await dropNow()).toBe("dropped");
  });

  test.each([
    [
      "a claim",
      "INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids) VALUES (gen_random_uuid(), 'orders', 'r', 1, ARRAY[$1])",
      PINS.claim,
    ],
    [
      "a relay that died with it",
      "INSERT INTO outbox_console.suspect (outbox, message_id) VALUES ('orders', $1)",
      PINS.suspect,
    ],
    [
      "a hold behind it",
      "INSERT INTO outbox_console.pause (outbox, scope, subject, reason, by, message_id) VALUES ('orders', 'hold', 'order/o-1', 'dead', 'relay', $1)",
      PINS.pause,
    ],
    [
      "its restoration",
      "INSERT INTO outbox_console.restored (outbox, message_id) VALUES ('orders', $1)",
      PINS.restored,
    ],
    [
      "an item of an operation that goes on",
      `WITH begun AS (INSERT INTO outbox_console.operation (id, outbox, action, actor, role, reason, request_hash, state, plan)
       VALUES (gen_random_uuid(), 'orders', 'republish', 'ada', 'admin', 'r', 'h', 'running', '{}') RETURNING id)
     INSERT INTO outbox_console.operation_item (operation_id, seq, message_id, version, state_before) SELECT id, 1, $1, 'v', 'published' FROM begun`,
      PINS.operation,
    ],
  ])("%s keeps the partition", async (_, text, pin) => {
    await query(text, [await oldId()]);
    expect(await dropNow()).toBe(`pinned: ${pin}`);
    expect(await names()).toHaveLength(3);
  });

  test("a row that is published again, or not any more, keeps it", async () => {
    await query("UPDATE outbox SET published_at = now() WHERE created_at < '2024-02-01'");
    expect(await dropNow()).toBe("pinned: a row in it is not old enough");
    await query("UPDATE outbox SET published_at = '2024-05-01' WHERE created_at < '2024-02-01'");
    expect(await dropNow()).toBe("pinned: a row with an old time came after its range had ended");
    await query("UPDATE outbox SET published_at = NULL WHERE created_at < '2024-02-01'");
    expect(await dropNow()).toBe("pinned: a row in it is not published");
  });

  test("another range keeps it", async () => {
    await query("ALTER TABLE outbox DETACH PARTITION outbox_now; ALTER TABLE outbox DETACH PARTITION outbox_p20240101");
    await query("TRUNCATE outbox_p20240101");
    await query(
      "ALTER TABLE outbox ATTACH PARTITION outbox_p20240101 FOR VALUES FROM ('2024-03-01') TO ('2099-01-01')",
    );
    expect(await dropNow()).toBe("pinned: its range has changed and is not old enough");
  });

  test("a slot of the reader that is created, or begins again further back, keeps it", async () => {
    const slot = `s_${database().name}`;
    await query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
    try {
      const reads = { ...RULE, reader: slot };
      expect(await dropNow({ slot: null }, reads)).toBe(`pinned: ${PINS.reader}`);
      const [point] = await query(
        "SELECT catalog_xmin::text AS at, (catalog_xmin::text::bigint + 1)::text AS later FROM pg_replication_slots WHERE slot_name = $1",
        [slot],
      );
      expect(await dropNow({ slot: point?.later }, reads)).toBe(`pinned: ${PINS.reader}`);
      expect(await dropNow({ slot: point?.at }, reads)).toBe("dropped");
    } finally {
      await query("SELECT pg_drop_replication_slot($1)", [slot]);
    }
  });
});

test("a large partition needs an index on the time of publishing before the table is locked for it", async () => {
  await query("UPDATE pg_class SET reltuples = 2000000 WHERE relname = 'outbox_p20240101'");
  expect(await partitions.dropOld(RULE, 5)).toMatchObject([
    {
      outcome: "pinned",
      why: expect.stringMatching(/CREATE INDEX CONCURRENTLY ON .*outbox_p20240101.* \("?published_at"?\)$/),
    },
    { outcome: "dropped" },
  ]);
  await query(
    "CREATE INDEX ON outbox_p20240101 (published_at); UPDATE pg_class SET reltuples = 2000000 WHERE relname = 'outbox_p20240101'",
  );
  expect(await partitions.dropOld(RULE, 5)).toMatchObject([{ outcome: "dropped" }]);
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

test("a name that another relation has is said to be that, and not a partition of another program", async () => {
  await query("DROP TABLE outbox_now; CREATE TABLE outbox_p20240301 (id int)");
  const [outcome] = await partitions.createAhead(1);
  expect(outcome).toMatchObject({ outcome: "contended", why: expect.stringContaining("is no partition of this one") });
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
