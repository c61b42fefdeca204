import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RetentionRunner } from "#monitor/retention-runner.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { Runtime } from "../runtime.ts";
import { getStorage } from "../storage/get-storage.ts";
import { requireInboxRetention } from "./inbox-policy.ts";
import { previewInboxRetention } from "./preview-inbox-retention.ts";

const database = testDatabase("migrated");
const query = async (text: string, values: unknown[] = []) => (await database().pool.query(text, values)).rows;
let runtime: Runtime;

const INBOX =
  "CREATE TABLE inbox (id uuid PRIMARY KEY, message_id uuid NOT NULL, received_at timestamptz NOT NULL, processed_at timestamptz)";

function open(inbox: Record<string, unknown> = {}, outbox: Record<string, unknown> = { published: { keep: "14d" } }) {
  runtime = openTestRuntime(database().url, {
    console: { databaseUrl: database().url },
    outboxes: {
      orders: { store: "shop", table: "public.outbox_events", mode: "operate", deadAttempts: 5, retention: outbox },
    },
    inboxes: { billing: { store: "shop", table: "public.inbox", outbox: "orders", ...inbox } },
  });
  const runner = new RetentionRunner({ runtime, signal: new AbortController().signal, everyMs: 0 });
  return { runOnce: () => runner.runOnce().then(() => runner.settle()) };
}

/** Rows received so many days ago; processed then, unless said otherwise. */
const put = (rows: number, days: number, processed = true) =>
  query(
    `INSERT INTO inbox SELECT gen_random_uuid(), gen_random_uuid(), now() - make_interval(days => $2), CASE WHEN $3 THEN now() - make_interval(days => $2) END
     FROM generate_series(1, $1)`,
    [rows, days, processed],
  );
const rows = async () => (await query("SELECT count(*)::int AS n FROM inbox"))[0]?.n;
const runs = async () => (await getStorage({ runtime, outbox: "orders" })).inboxes[0];

beforeEach(async () => {
  await query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await query(
    "TRUNCATE outbox_console.mapping_fingerprint, outbox_console.retention_run, outbox_console.dead_letter, outbox_console.audit",
  );
  await query(
    `CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_id text, event_type text NOT NULL, payload jsonb NOT NULL,
       occurred_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz)`,
  );
  await query(INBOX);
});
afterEach(() => runtime.close());

describe("retention of an inbox", () => {
  test("removes processed rows that are old, in batches that are counted, and leaves every other row", async () => {
    const runner = open({ retention: { keep: "20d" } });
    await put(2500, 30);
    await put(3, 30, false);
    await put(4, 10);
    await runner.runOnce();
    expect(await rows()).toBe(7);
    const inbox = await runs();
    expect(inbox).toMatchObject({ name: "billing", policy: "processed 20 d", refusal: null });
    expect(inbox?.runs).toMatchObject([{ subject: "inbox billing", rule: "processed 20 d", rows: 2500, end: "done" }]);
    expect(
      await query("SELECT action, outbox, reason FROM outbox_console.audit WHERE action = 'retention.activate'"),
    ).toContainEqual({
      action: "retention.activate",
      outbox: null,
      reason: "outbox.yaml: inbox billing",
    });
  });

  test("is refused while it is shorter than its outbox' retention and the age of the oldest dead message", async () => {
    const runner = open({ retention: { keep: "20d" } });
    await put(5, 30);
    await query(
      `INSERT INTO outbox_console.dead_letter (outbox, message_id, dead_at, dead_by, last_failed_at, created_at)
       VALUES ('orders', $1, now() - interval '7 days', 'relay', now() - interval '7 days', now() - interval '10 days')`,
      [randomUUID()],
    );
    await runner.runOnce();
    expect(await rows()).toBe(5);
    const [run] = (await runs())?.runs ?? [];
    expect(run).toMatchObject({ end: "refused", rows: 0 });
    expect(run?.detail).toMatch(
      /^20 d is too short\. Inbox billing must keep its rows for at least 24 d.*: outbox orders keeps published rows for 14 d, and its oldest dead message is 10 d.* old\.$/,
    );
    const preview = await previewInboxRetention({ runtime, inbox: "billing", keepDays: 20 });
    expect(preview).toMatchObject({ rows: { value: 5, precision: "exact" }, refusal: run?.detail });
    expect((await previewInboxRetention({ runtime, inbox: "billing", keepDays: 25 })).refusal).toBe(null);
  });

  test("is refused while an unsent message is so old that its processed row would go before it is sent again", async () => {
    const runner = open({ retention: { keep: "20d" } });
    await query(
      "INSERT INTO outbox_events (event_type, payload, occurred_at) VALUES ('order.placed', '{}', now() - interval '10 days')",
    );
    await put(3, 30);
    await runner.runOnce();
    expect(await rows()).toBe(3);
    expect((await runs())?.refusal).toMatch(
      /^20 d is too short\. Inbox billing must keep its rows for at least 24 d.*its oldest unsent message waits 10 d/,
    );
    await query("UPDATE outbox_events SET dispatched_at = now()");
    await runner.runOnce();
    expect((await runs())?.refusal).toBeNull();
  });

  test("is refused while its outbox keeps published rows permanently", async () => {
    const runner = open({ retention: { keep: "20d" } }, {});
    await put(5, 30);
    await runner.runOnce();
    expect(await rows()).toBe(5);
    expect((await runs())?.refusal).toMatch(/^Outbox orders keeps its published rows permanently/);
  });

  test("is off by default, and then a dry run says what it would remove and changes nothing", async () => {
    const runner = open();
    await put(6, 30);
    await put(2, 30, false);
    await runner.runOnce();
    const preview = await previewInboxRetention({ runtime, inbox: "billing", keepDays: 20 });
    expect(preview).toMatchObject({
      rows: { value: 6, precision: "exact" },
      ageOf: "processed",
      onlyProcessed: true,
      refusal: null,
    });
    expect(preview.bytes).toBeGreaterThan(100);
    expect(await rows()).toBe(8);
    expect(() => open({ retention: { keep: "20d" }, outbox: undefined })).toThrow(/needs outbox/);
  });

  test("goes by the time of receipt where nothing says what was processed, and says so", async () => {
    await query("DROP TABLE inbox; CREATE TABLE inbox (message_id uuid PRIMARY KEY, received_at timestamptz NOT NULL)");
    await query("INSERT INTO inbox SELECT gen_random_uuid(), now() - interval '30 days' FROM generate_series(1, 3)");
    const runner = open({ retention: { keep: "20d" } });
    const preview = await previewInboxRetention({ runtime, inbox: "billing", keepDays: 20 });
    expect(preview).toMatchObject({ ageOf: "received", onlyProcessed: false, rows: { value: 3 } });
    await runner.runOnce();
    expect(await rows()).toBe(0);
  });

  test("passes over a row that another session has locked, and removes nothing that no run counts", async () => {
    open({ retention: { keep: "20d" } });
    await put(4, 30);
    const inbox = await runtime.inbox("billing");
    const retention = await requireInboxRetention(runtime, inbox);
    const batch = { limit: 100, after: null, timeoutMs: 5000 };
    await expect(retention.removeSome(1_728_000, { ...batch, run: randomUUID() })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await rows()).toBe(4);
    const other = await database().pool.connect();
    await other.query("BEGIN; SELECT * FROM inbox ORDER BY id LIMIT 1 FOR UPDATE");
    const run = await retention.begin("processed 20 d");
    expect(await retention.removeSome(1_728_000, { ...batch, run })).toMatchObject({ rows: 3, next: null });
    await other.query("ROLLBACK");
    other.release();
    expect(await rows()).toBe(1);
  });

  test("leaves a table alone whose deletes have an effect elsewhere", async () => {
    open({ retention: { keep: "20d" } });
    await query("CREATE TABLE effects (inbox_id uuid REFERENCES inbox (id) ON DELETE CASCADE)");
    expect((await runs())?.refusal).toMatch(/references these rows by a foreign key/);
    await expect(previewInboxRetention({ runtime, inbox: "billing", keepDays: 20 })).rejects.toMatchObject({
      code: "wrong_state",
    });
  });
});
