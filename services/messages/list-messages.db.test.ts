import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { MESSAGE_STATES, UNSENT_STATES } from "#domain/message/message-state.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import type { Runtime } from "../runtime.ts";
import { list, type Query, TABLE } from "./list-messages.fixture.ts";

/** Every page to the end; `between` runs after each. */
async function walk(runtime: Runtime, query: Query, between: () => Promise<unknown> = async () => undefined) {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list(runtime, { ...query, ...(cursor ? { cursor } : {}) });
    ids.push(...page.messages.map((message) => message.id));
    cursor = page.nextCursor;
    await between();
  } while (cursor && ids.length < 5000);
  return ids;
}

describe("pages", () => {
  const database = testDatabase("migrated");
  let runtime: Runtime;

  beforeAll(async () => {
    const { pool } = database();
    await pool.query(TABLE);
    // Ten rows of each instant: ties; every seventh without any.
    await pool.query(`INSERT INTO outbox (aggregate_type, aggregate_id, event_type, payload, created_at, published_at)
      SELECT 'order', (n % 7)::text, 'e' || n % 3, '{}', CASE WHEN n % 7 > 0 THEN '2026-03-01'::timestamptz + (n / 10) * interval '1 s' END, CASE WHEN n % 2 = 0 THEN now() END FROM generate_series(1, 300) n`);
    await pool.query(`INSERT INTO outbox_console.delivery (outbox, message_id, attempts, first_failed_at, last_failed_at, next_attempt_at, last_error, fingerprint)
      SELECT 'orders', id::text, 2, now(), now(), now(), 'HTTP 500 100%_\\ of "them"', 'f00' FROM outbox WHERE published_at IS NULL AND aggregate_id = '3'`);
    await pool.query(
      `INSERT INTO outbox_console.delivery (outbox, message_id, attempts, dead_at, dead_by, last_failed_at) SELECT 'orders', id::text, 2, now(), 'relay', now() FROM outbox WHERE published_at IS NULL AND aggregate_id = '4'`,
    );
    await pool.query(
      `INSERT INTO outbox_console.dead_letter (outbox, message_id, image, dead_by, event_type, created_at) SELECT 'orders', gen_random_uuid()::text, '{}', 'relay', 'e1', now() FROM generate_series(1, 23)`,
    );
    await pool.query(
      `INSERT INTO outbox_console.archive (outbox, message_id, image, archived_by, reason, state_before, archived_at) SELECT 'orders', gen_random_uuid()::text, '{}', 'ada', 'x', 'published', '2026-03-01' FROM generate_series(1, 41)`,
    );
    await pool.query(
      "INSERT INTO outbox_console.lease (outbox, partition, owner, epoch, until) SELECT 'orders', p, 'r', 1, now() + interval '1 hour' FROM generate_series(0, 31) p",
    );
    await pool.query(
      "INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids) SELECT gen_random_uuid(), 'orders', 'r', 1, array_agg(id::text) FROM outbox WHERE published_at IS NULL AND aggregate_id = '5'",
    );
    runtime = openOperatedRuntime(database().url, "outbox");
  });
  afterAll(() => runtime.close());

  test.each([...MESSAGE_STATES, "unsent", "all"] as const)(
    "%s: every message once, as many as counted",
    async (state) => {
      const { counts } = await takeSnapshot({ runtime, outbox: "orders" });
      const sum = (states: readonly (keyof typeof counts)[]) =>
        states.reduce((total, one) => total + counts[one].value, 0);
      const expected =
        state === "all" ? sum(MESSAGE_STATES) : state === "unsent" ? sum(UNSENT_STATES) : counts[state].value;
      for (const limit of [7, 10, 200]) {
        const ids = await walk(runtime, { state, limit });
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBe(expected);
      }
      expect((await list(runtime, { state })).matching).toEqual({ value: expected, precision: "exact" });
      if (["pending", "failed", "in_flight", "dead", "published", "archived"].includes(state))
        expect(expected).toBeGreaterThan(20);
    },
  );

  test("waiting messages come oldest first, published newest first, those without a time at the end and at the start", async () => {
    const times = async (state: string) =>
      (await list(runtime, { state, limit: 200 })).messages.map((message) => message.createdAt);
    const pending = (await times("pending")).filter((at) => at !== null);
    expect(pending).toEqual([...pending].sort());
    const published = (await times("published")).filter((at) => at !== null);
    expect(published).toEqual([...published].sort().reverse());
  });

  test("what is inserted meanwhile moves nothing and hides nothing", async () => {
    const before = await walk(runtime, { state: "published", limit: 200 });
    const insert = () =>
      database().pool.query(`INSERT INTO outbox (aggregate_type, aggregate_id, event_type, payload, created_at, published_at)
        SELECT 'order', '1', 'later', '{}', t, now() FROM unnest(ARRAY['2026-03-01 00:00:10'::timestamptz, now(), NULL]) t`);
    const ids = await walk(runtime, { state: "published", limit: 13 }, insert);
    expect(new Set(ids).size).toBe(ids.length);
    expect(before.filter((id) => !ids.includes(id))).toEqual([]);
    await database().pool.query("DELETE FROM outbox WHERE event_type = 'later'");
  });

  test("cursors that are forged, foreign or of another list are refused", async () => {
    const { nextCursor } = await list(runtime, { state: "published", limit: 5 });
    const forge = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
    const [scope] = JSON.parse(Buffer.from(nextCursor ?? "", "base64url").toString()) as [string];
    const forged = [
      "x",
      "....",
      "bm90IGpzb24",
      forge(),
      forge(1),
      forge({}),
      forge("published"),
      forge(scope, "a", "b"),
      forge(scope, "2026-99-99", "x"),
      forge(scope, "2026-01-01T00:00:00Z", "'; DROP TABLE outbox; --"),
      forge(scope, "2026-01-01T00:00:00Z"),
      forge(scope, "2026-01-01\0", "00000000-0000-4000-8000-000000000001"),
      forge(scope, ["a"], "b"),
    ];
    for (const cursor of forged)
      await expect(list(runtime, { state: "published", limit: 5, cursor }), cursor).rejects.toMatchObject({
        code: "invalid_input",
      });
    for (const other of [{ state: "pending" }, { state: "dead" }, { state: "published", eventType: "e1" }])
      await expect(list(runtime, { ...other, limit: 5, cursor: nextCursor ?? "" })).rejects.toMatchObject({
        code: "invalid_input",
      });
  });

  test("filters, alone and together, select what they say, and count it", async () => {
    const count = async (query: Query) => {
      const page = await list(runtime, { limit: 200, ...query });
      expect(page.matching.value).toBe(page.messages.length);
      return page.messages.length;
    };
    const rows = async (where: string) =>
      Number(
        (
          await database().pool.query(
            `SELECT count(*) AS n FROM outbox LEFT JOIN outbox_console.delivery d ON d.message_id = id::text WHERE ${where}`,
          )
        ).rows[0].n,
      );
    const open = "published_at IS NULL AND d.dead_at IS NULL";
    expect(await count({ eventType: "e1" })).toBe(await rows(`${open} AND outbox.event_type = 'e1'`));
    expect(await count({ aggregateType: "order", aggregateId: "2" })).toBe(
      await rows(`${open} AND aggregate_id = '2'`),
    );
    expect(await count({ aggregateType: "Order" })).toBe(0);
    expect(await count({ attemptsMin: 2 })).toBe(await rows(`${open} AND attempts >= 2`));
    expect(await count({ group: "f00" })).toBe(await rows(`${open} AND fingerprint = 'f00'`));
    expect(await count({ group: "nothing" })).toBe(0);
    expect(await count({ error: '100%_\\ of "THEM"' })).toBe(await rows(`${open} AND last_error IS NOT NULL`));
    expect(await count({ error: "100_%" })).toBe(0);
    expect(await count({ state: "published", from: "2026-03-01T00:00:05Z", to: "2026-03-01T01:00:10+01:00" })).toBe(
      await rows(
        "published_at IS NOT NULL AND outbox.created_at >= '2026-03-01 00:00:05Z' AND outbox.created_at < '2026-03-01 00:00:10Z'",
      ),
    );
    expect(await count({ q: "2" })).toBe(await rows(`${open} AND aggregate_id = '2'`));
    expect(await count({ q: "e2" })).toBe(await rows(`${open} AND outbox.event_type = 'e2'`));
    const [first] = (await list(runtime, {})).messages;
    expect(await count({ q: first?.id ?? "" })).toBe(1);
    expect(await count({ q: (first?.id ?? "").toUpperCase() })).toBe(1);
    expect(await count({ state: "dead", eventType: "e1" })).toBe(
      23 + (await rows("published_at IS NULL AND aggregate_id = '4' AND outbox.event_type = 'e1'")),
    );
    for (const q of ["'", "\\", "%", "~", "~WyJhIl0", "💥", "a".repeat(300), "1e400", "--", "9".repeat(40)])
      expect(await count({ q }), q).toBe(0);
    for (const aggregateId of ["'", "\\"]) expect(await count({ aggregateId })).toBe(0);
    for (const bad of [
      { q: "a\0" },
      { error: "\0" },
      { group: "\0" },
      { from: "0000-01-01T00:00:00Z" },
      { attemptsMin: 1e15 },
      { limit: 0 },
      { limit: 1000 },
    ])
      expect(messageQuerySchema.safeParse(bad).success).toBe(false);
  });
});

describe("a filter by an enum's value", () => {
  const database = testDatabase("empty");
  test("finds its rows, and none for another word", async () => {
    const { pool } = database();
    await pool.query(
      "CREATE TYPE kind AS ENUM ('placed', 'paid'); CREATE TABLE outbox (id int PRIMARY KEY, event_type kind, payload jsonb, created_at timestamptz, published_at timestamptz)",
    );
    await pool.query("INSERT INTO outbox VALUES (1, 'placed', '{}', now()), (2, 'paid', '{}', now())");
    const runtime = openOperatedRuntime(database().url, "outbox", { mode: "observe" });
    expect((await list(runtime, { eventType: "paid" })).messages.map((message) => message.id)).toEqual(["2"]);
    expect((await list(runtime, { q: "paid" })).messages.map((message) => message.id)).toEqual(["2"]);
    expect((await list(runtime, { eventType: "lost" })).messages).toEqual([]);
    await runtime.close();
  });
});
