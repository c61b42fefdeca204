import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { isSameVersion } from "#db/stores/port/seen-version.ts";
import { MESSAGE_STATES, type MessageState } from "#domain/message/message-state.ts";
import { LAYOUTS } from "#tests/factories/layouts-states.ts";
import { openOperatedRuntime, openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { getMessage } from "../messages/get-message.ts";
import { listMessages } from "../messages/list-messages.ts";
import type { Runtime } from "../runtime.ts";
import { takeSnapshot } from "./take-snapshot.ts";

const database = testDatabase("migrated");
let runtime: Runtime;

beforeEach(async () => {
  await database().pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await database().pool.query(
    "TRUNCATE outbox_console.delivery, outbox_console.claim, outbox_console.lease, outbox_console.dead_letter, outbox_console.archive",
  );
});

afterEach(() => runtime.close());

async function listTab(state: MessageState | "unsent") {
  const query = messageQuerySchema.parse({ state, limit: 200 });
  return listMessages({ runtime, outbox: "orders", query });
}

/** Ids by state, according to counts, lists and details, which must agree. */
async function expectStates(expected: Partial<Record<MessageState, string[]>>) {
  const snapshot = await takeSnapshot({ runtime, outbox: "orders" });
  for (const state of MESSAGE_STATES) {
    const ids = [...(expected[state] ?? [])].sort();
    expect(snapshot.counts[state], state).toEqual({ value: ids.length, precision: "exact" });
    const page = await listTab(state);
    expect(page.messages.map((message) => message.id).sort(), state).toEqual(ids);
    expect(page.matching, state).toEqual({ value: ids.length, precision: "exact" });
    for (const message of page.messages) {
      expect(message.state).toBe(state);
      const detail = await getMessage({ runtime, outbox: "orders", id: message.id });
      expect(detail.message.state).toBe(state);
      expect(isSameVersion(detail.message.version, message.version)).toBe(true);
    }
  }
  const unsent = [...(expected.pending ?? []), ...(expected.failed ?? []), ...(expected.in_flight ?? [])].sort();
  expect((await listTab("unsent")).messages.map((message) => message.id).sort()).toEqual(unsent);
}

async function claim(ids: string[], live: boolean) {
  const { pool } = database();
  await pool.query(
    "INSERT INTO outbox_console.lease (outbox, partition, owner, epoch, until) SELECT 'orders', p, 'relay-1', 1, clock_timestamp() + $1::interval FROM generate_series(0, 31) p ON CONFLICT DO NOTHING",
    [live ? "1 minute" : "-1 minute"],
  );
  await pool.query(
    "INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids) VALUES ($1, 'orders', 'relay-1', 1, $2)",
    [randomUUID(), ids],
  );
}

async function fail(id: string, more: { attempts?: number; deadAt?: string } = {}) {
  await database().pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, attempts, first_failed_at, last_failed_at, last_error, last_error_code, dead_at, dead_by)
     VALUES ('orders', $1, $2, now(), now(), 'HTTP 500 from the gateway', 'server_error', $3, $4)`,
    [id, more.attempts ?? 1, more.deadAt ?? null, more.deadAt ? "relay" : null],
  );
}

describe.each(LAYOUTS)("layout $name", (layout) => {
  test("tells each state of its own, by count, list and detail", async () => {
    const { pool } = database();
    await pool.query(layout.ddl);
    const expected: Partial<Record<MessageState, string[]>> = {};
    for (const state of layout.tells)
      expected[state] = [await layout.insert(pool, state), await layout.insert(pool, state)];
    runtime = openOperatedRuntime(database().url, layout.table, layout.settings);
    await expectStates(expected);
  });

  test("with claims and failures kept beside, in the order of precedence", async () => {
    const { pool } = database();
    await pool.query(layout.ddl);
    const [pending, failed, inFlight, failedInFlight, deadBeside, deadClaimed, publishedClaimed, orphaned] = [
      await layout.insert(pool, "pending"),
      await layout.insert(pool, "pending"),
      await layout.insert(pool, "pending"),
      await layout.insert(pool, "pending"),
      await layout.insert(pool, "pending"),
      await layout.insert(pool, "pending"),
      await layout.insert(pool, "published"),
      await layout.insert(pool, "pending"),
    ];
    await claim([inFlight, failedInFlight, deadClaimed, publishedClaimed], true);
    await pool.query(
      "INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids) VALUES ($1, 'orders', 'relay-0', 0, $2)",
      [randomUUID(), [orphaned]],
    );
    await fail(failed);
    await fail(failedInFlight);
    await fail(deadBeside, { deadAt: "2026-03-01T11:00:00Z" });
    await fail(deadClaimed, { deadAt: "2026-03-01T11:00:00Z" });
    await fail(publishedClaimed, { deadAt: "2026-03-01T11:00:00Z" });
    runtime = openOperatedRuntime(database().url, layout.table, layout.settings);
    const nativeAttempts = layout.ddl.includes("attempts") || layout.ddl.includes("retry_count");
    await expectStates({
      pending: nativeAttempts ? [pending, orphaned, failed] : [pending, orphaned],
      failed: nativeAttempts ? [] : [failed],
      in_flight: [inFlight, failedInFlight],
      dead: [deadBeside, deadClaimed],
      published: [publishedClaimed],
    });
    const detail = await getMessage({ runtime, outbox: "orders", id: orphaned });
    expect(detail.message.claimExpired).toBe(true);
    expect(detail.actions.find((one) => one.action === "retry")).toMatchObject({ possible: true });
  });

  test("observed only, with what the table tells", async () => {
    const { pool } = database();
    await pool.query(layout.ddl);
    const expected: Partial<Record<MessageState, string[]>> = {};
    for (const state of layout.tells) expected[state] = [await layout.insert(pool, state)];
    runtime = openTestRuntime(database().url, {
      outboxes: { orders: { store: "shop", table: layout.table, ...layout.settings } },
    });
    await expectStates(expected);
  });
});

describe("what a row may hold", () => {
  test("no aggregate, no error, texts of any alphabet; times in UTC", async () => {
    const { pool } = database();
    const [layout] = LAYOUTS;
    await pool.query(layout?.ddl ?? "");
    await pool.query(
      "INSERT INTO outbox_events (id, aggregate_id, event_type, payload, occurred_at) VALUES ('00000000-0000-4000-8000-000000000001', NULL, 'Bestellung.Ärger 💥', '{\"a\": \"日本\"}', '2026-03-01 12:00:00+02')",
    );
    runtime = openOperatedRuntime(database().url, "outbox_events");
    const page = await listTab("pending");
    expect(page.messages[0]).toMatchObject({
      aggregateId: null,
      lastError: null,
      eventType: "Bestellung.Ärger 💥",
      createdAt: "2026-03-01T10:00:00.000000Z",
    });
    const detail = await getMessage({ runtime, outbox: "orders", id: "00000000-0000-4000-8000-000000000001" });
    expect(detail.payload?.text).toBe('{"a": "日本"}');
  });

  test("a time without zone is read in the zone of the configuration, a summer's as a winter's", async () => {
    const { pool } = database();
    await pool.query(
      "CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload jsonb, created_at timestamp NOT NULL, published_at timestamp)",
    );
    await pool.query(
      "INSERT INTO outbox VALUES (1, 'a', '{}', '2026-01-15 12:00:00', NULL), (2, 'a', '{}', '2026-07-15 12:00:00', NULL)",
    );
    runtime = openOperatedRuntime(database().url, "outbox", { timeZone: "Europe/Berlin" });
    const page = await listTab("pending");
    expect(page.messages.map((message) => message.createdAt)).toEqual([
      "2026-01-15T11:00:00.000000Z",
      "2026-07-15T10:00:00.000000Z",
    ]);
  });

  test("text times that are no times are null, and the others still show", async () => {
    const { pool } = database();
    const layout = LAYOUTS.find((one) => one.name === "(e)");
    await pool.query(layout?.ddl ?? "");
    for (const [id, created] of [
      ["1", "20260301100000"],
      ["2", ""],
      ["3", "garbage"],
      ["4", "20261399999999"],
      ["5", "20260230100000"],
    ])
      await pool.query("INSERT INTO outbox (outbox_id, event_type, payload, created_at) VALUES ($1, 'a', '{}', $2)", [
        id,
        created,
      ]);
    runtime = openOperatedRuntime(database().url, "outbox");
    const page = await listTab("pending");
    const created = Object.fromEntries(page.messages.map((message) => [message.id, message.createdAt]));
    expect(created).toEqual({
      "1": "2026-03-01T10:00:00.000000Z",
      "2": null,
      "3": null,
      "4": null,
      "5": "2026-03-02T10:00:00.000000Z",
    });
    expect((await takeSnapshot({ runtime, outbox: "orders" })).counts.pending.value).toBe(5);
  });

  test("expired by its time, by word; in flight by lock, which may have run out", async () => {
    const { pool } = database();
    await pool.query(
      `CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload jsonb, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL, expires_at timestamptz, locked_until timestamptz)`,
    );
    await pool.query(`INSERT INTO outbox (id, event_type, payload, status, expires_at, locked_until) VALUES
      (1, 'a', '{}', 'pending', now() - interval '1 s', NULL), (2, 'a', '{}', 'expired', NULL, NULL), (3, 'a', '{}', 'published', now() - interval '1 s', NULL),
      (4, 'a', '{}', 'processing', NULL, now() + interval '1 min'), (5, 'a', '{}', 'processing', NULL, now() - interval '1 min'), (6, 'a', '{}', 'failed', now() + interval '1 h', NULL),
      (7, 'a', '{}', 'dead', now() - interval '1 s', NULL)`);
    runtime = openOperatedRuntime(database().url, "outbox");
    await expectStates({
      expired: ["1", "2"],
      published: ["3"],
      in_flight: ["4"],
      pending: ["5"],
      failed: ["6"],
      dead: ["7"],
    });
  });

  test("a flag that is null although it has a default is unknown", async () => {
    const { pool } = database();
    await pool.query(
      "CREATE TABLE outbox (id int PRIMARY KEY, event_type text, payload jsonb, created_at timestamptz NOT NULL DEFAULT now(), published boolean DEFAULT false)",
    );
    await pool.query(
      "INSERT INTO outbox (id, event_type, payload, published) VALUES (1, 'a', '{}', false), (2, 'a', '{}', true), (3, 'a', '{}', NULL)",
    );
    runtime = openOperatedRuntime(database().url, "outbox");
    await expectStates({ pending: ["1"], published: ["2"], unknown: ["3"] });
  });

  test("quoted names and a bytea payload", async () => {
    const { pool } = database();
    await pool.query(
      `CREATE TABLE "Out""box Events" ("Id" uuid PRIMARY KEY, "Event Type" text, "select" bytea NOT NULL, "OccurredOn" timestamptz NOT NULL, "ProcessedDate" timestamptz)`,
    );
    await pool.query(
      `INSERT INTO "Out""box Events" VALUES ('00000000-0000-4000-8000-000000000001', 'x', '\\x00ff', now(), NULL)`,
    );
    runtime = openTestRuntime(database().url, {
      outboxes: {
        orders: {
          store: "shop",
          mode: "operate",
          table: 'public.Out"box Events',
          columns: { payload: "select", eventType: "Event Type" },
        },
      },
    });
    await expectStates({ pending: ["00000000-0000-4000-8000-000000000001"] });
    const detail = await getMessage({ runtime, outbox: "orders", id: "00000000-0000-4000-8000-000000000001" });
    expect(detail.payload).toMatchObject({ format: "base64", text: "AP8=", totalBytes: 2 });
  });

  test("a table without a key is counted and says why it is not listed", async () => {
    const { pool } = database();
    await pool.query(
      "CREATE TABLE outbox (id uuid, event_type text, payload jsonb, created_at timestamptz, published_at timestamptz)",
    );
    await pool.query("INSERT INTO outbox (id, payload, created_at) VALUES (NULL, '{}', now() - interval '1 hour')");
    runtime = openTestRuntime(database().url, { outboxes: { orders: { store: "shop", table: "outbox" } } });
    const snapshot = await takeSnapshot({ runtime, outbox: "orders" });
    expect(snapshot.counts.pending.value).toBe(1);
    expect(snapshot.verdict.status).toBe("fail");
    await expect(listTab("pending")).rejects.toMatchObject({
      code: "wrong_state",
      message: expect.stringContaining("no primary key"),
    });
  });

  test.each(["operate", "relay"] as const)(
    "a table whose key contains the mark of the state is not acted on: %s",
    async (mode) => {
      const { pool } = database();
      await pool.query(`CREATE TABLE outbox (id bigserial, event_type text, payload jsonb, created_at timestamptz, status text NOT NULL
      CHECK (status IN ('PENDING', 'SENT')), PRIMARY KEY (id, status)) PARTITION BY LIST (status);
      CREATE TABLE outbox_pending PARTITION OF outbox FOR VALUES IN ('PENDING')`);
      await pool.query("INSERT INTO outbox (payload, status) VALUES ('{}', 'PENDING')");
      const lifecycle = { kind: "status" as const, pending: ["PENDING"], published: ["SENT"] };
      const open = (settings: object) =>
        openTestRuntime(database().url, {
          sinks: { stdout: { kind: "log" } },
          outboxes: { orders: { store: "shop", table: "outbox", lifecycle, ...settings } },
        });
      runtime = open({});
      expect((await takeSnapshot({ runtime, outbox: "orders" })).counts.pending.value).toBe(1);
      await runtime.close();
      runtime = open({ mode, ...(mode === "relay" ? { relay: { sink: "stdout" } } : {}) });
      await expect(takeSnapshot({ runtime, outbox: "orders" })).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("contains status"),
      });
    },
  );
});
