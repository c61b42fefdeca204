import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type MessageQuery, messageQuerySchema } from "#contracts/messages.ts";
import { queryOn } from "#db/stores/postgres/connection/query-on.ts";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { countMessages } from "#db/stores/postgres/read/count-messages.ts";
import { listSources } from "#db/stores/postgres/read/list-sources.ts";
import { orderBy } from "#db/stores/postgres/tables/keyset.ts";
import { MESSAGE_STATES, UNSENT_STATES } from "#domain/message-state.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { checkHealth } from "../health/check-health.ts";
import { renderMetrics } from "../health/render-metrics.ts";
import { missingIndexesOf } from "../outboxes/missing-indexes.ts";
import { outboxRef } from "../outboxes/outbox-ref.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import type { Runtime } from "../runtime.ts";
import { getMessage } from "./get-message.ts";
import { listMessages } from "./list-messages.ts";

const TABLE = `CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_type text NOT NULL, aggregate_id text NOT NULL, event_type text NOT NULL,
  payload jsonb NOT NULL, created_at timestamptz, published_at timestamptz)`;
type Query = Partial<Record<keyof MessageQuery, string | number>>;

const list = (runtime: Runtime, query: Query) =>
  listMessages({ runtime, outbox: "orders", query: messageQuerySchema.parse(query) });

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

describe("a large table", () => {
  const database = testDatabase("migrated");
  let runtime: Runtime;
  afterEach(() => runtime.close());

  beforeAll(async () => {
    const { pool } = database();
    await pool.query(TABLE);
    await pool.query(`INSERT INTO outbox (aggregate_type, aggregate_id, event_type, payload, created_at, published_at)
      SELECT 'order', (n % 20000)::text, 'e' || n % 400, jsonb_build_object('n', n, 'text', repeat('x', 300)), now() - n * interval '1 s', CASE WHEN n > 3000 THEN now() END FROM generate_series(1, 300000) n`);
    await pool.query(
      `INSERT INTO outbox_console.delivery (outbox, message_id, attempts, first_failed_at, last_failed_at, next_attempt_at) SELECT 'orders', id::text, 1, now(), now(), now() FROM outbox WHERE published_at IS NULL AND aggregate_id::int < 500`,
    );
    await pool.query(
      `INSERT INTO outbox_console.delivery (outbox, message_id, attempts, dead_at, dead_by, last_failed_at) SELECT 'orders', id::text, 1, now(), 'relay', now() FROM outbox WHERE published_at IS NULL AND aggregate_id::int BETWEEN 1000 AND 1099`,
    );
    await pool.query(
      "INSERT INTO outbox_console.lease (outbox, partition, owner, epoch, until) SELECT 'orders', p, 'r', 1, now() + interval '1 hour' FROM generate_series(0, 31) p",
    );
    await pool.query(
      "INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids) SELECT gen_random_uuid(), 'orders', 'r', 1, array_agg(id::text) FROM outbox WHERE published_at IS NULL AND aggregate_id::int BETWEEN 490 AND 509",
    );
    await pool.query("ANALYZE");
  });

  const FILTERS: Query[] = [
    { state: "published", eventType: "e7" },
    { state: "published", aggregateId: "77" },
    { state: "published", q: "77" },
    { state: "published", from: "2020-01-01T00:00:00Z" },
    { state: "pending", from: "2020-01-01T00:00:00Z" },
  ];

  test("refuses each filter that would read it whole, names an index, and that index serves it", async () => {
    const { pool } = database();
    for (const filter of FILTERS) {
      runtime = openOperatedRuntime(database().url, "outbox");
      const refusal = await list(runtime, filter).catch((error: unknown) => error);
      expect(refusal, JSON.stringify(filter)).toMatchObject({
        code: "filter_not_indexed",
        details: { index: expect.stringMatching(/^CREATE INDEX/) },
      });
      const { index } = (refusal as { details: { index: string } }).details;
      for (const statement of index.split(";").filter((one) => one.trim() !== "")) await pool.query(statement);
      await pool.query("ANALYZE outbox");
      expect((await list(runtime, filter)).messages.length).toBeGreaterThan(0);
      await runtime.close();
      const { rows } = await pool.query<{ name: string }>(
        "SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = 'outbox'::regclass AND NOT indisprimary",
      );
      for (const { name } of rows) await pool.query(`DROP INDEX ${name}`);
    }
    runtime = openOperatedRuntime(database().url, "outbox");
  });

  test("adds up: exact where it can be, and says where it is an estimate", async () => {
    runtime = openOperatedRuntime(database().url, "outbox");
    const { counts } = await takeSnapshot({ runtime, outbox: "orders" });
    expect(counts.failed).toEqual({ value: 489, precision: "exact" });
    expect(counts.in_flight).toEqual({ value: 20, precision: "exact" });
    expect(counts.dead).toEqual({ value: 100, precision: "exact" });
    expect(counts.pending).toEqual({ value: 3000 - 489 - 20 - 100, precision: "exact" });
    expect(counts.published.precision).toBe("estimate");
    expect(Math.abs(counts.published.value - 297_000)).toBeLessThan(9000);
    for (const state of ["pending", "failed", "in_flight", "dead"] as const)
      expect((await list(runtime, { state })).matching, state).toEqual(counts[state]);
  });

  test("says that it does not know, where knowing would read too much", async () => {
    const { pool, name } = database();
    await pool.query(
      `ALTER DATABASE "${name}" SET seq_page_cost = 50; ALTER DATABASE "${name}" SET random_page_cost = 50`,
    );
    runtime = openOperatedRuntime(database().url, "outbox");
    const snapshot = await takeSnapshot({ runtime, outbox: "orders" });
    expect(snapshot.counts.pending.precision).toBe("unknown");
    expect(snapshot.counts.published.precision).toBe("estimate");
    expect(snapshot).toMatchObject({
      oldestPending: null,
      oldestPendingKnown: false,
      verdict: { causes: expect.arrayContaining([expect.objectContaining({ rule: "not_known", word: "unknown" })]) },
    });
    expect(snapshot.verdict.evidence).not.toContain("Nothing waits");
    const health = await checkHealth({ runtime });
    expect(health.checks?.["orders:oldestPending"]?.[0]).toMatchObject({ status: "warn", observedValue: null });
    expect((await renderMetrics({ runtime })).text).not.toContain("outbox_oldest_pending_seconds{");
    const { rows } = await pool.query<{ id: string }>(
      "SELECT id::text AS id FROM outbox WHERE published_at IS NULL LIMIT 1",
    );
    const detail = await getMessage({ runtime, outbox: "orders", id: rows[0]?.id ?? "" });
    expect(detail.neighbours).toHaveLength(1);
    expect(detail.laterPublished).toBeNull();
    await pool.query(`ALTER DATABASE "${name}" RESET ALL`);
  });

  test("with the recommended indexes nothing scans the table", async () => {
    const { pool } = database();
    runtime = openOperatedRuntime(database().url, "outbox");
    const advised = await missingIndexesOf(await runtime.outbox("orders"));
    expect(advised).toHaveLength(3);
    for (const index of advised) await pool.query(index.sql);
    await pool.query("VACUUM ANALYZE outbox");
    await runtime.close();
    runtime = openOperatedRuntime(database().url, "outbox");
    const handle = await runtime.outbox("orders");
    expect(await missingIndexesOf(handle)).toEqual([]);
    const ref = outboxRef(handle);
    const scans: string[] = [];
    for (const state of [...MESSAGE_STATES, "unsent"] as const)
      for (const source of listSources(ref, { state })) {
        const page = source
          .select(queryOn(pool), source.columns)
          .where(source.where)
          .orderBy(...orderBy(source.keyset))
          .limit(51);
        const { rows } = await queryOn(pool).execute(sql`EXPLAIN ${page}`);
        const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
        if (/Seq Scan on (public\.)?outbox /.test(plan)) scans.push(`${state}: ${plan}`);
      }
    expect(scans).toEqual([]);
    const seen: string[] = [];
    await withReadTransaction(database().pool, 3000, async (client) => {
      const query = client.query.bind(client);
      // Every statement of the counts is planned before it runs.
      const spy = async (...args: unknown[]) => {
        const [first, values] = args as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
        const text = typeof first === "string" ? first : first.text;
        if (/FROM "public"."outbox"/i.test(text) && !text.startsWith("EXPLAIN")) {
          const planned = await query(
            `EXPLAIN ${text}`,
            values ?? (typeof first === "string" ? [] : (first.values ?? [])),
          );
          const plan = planned.rows.map((row) => row["QUERY PLAN"]).join("\n");
          if (/Seq Scan on (public\.)?outbox /.test(plan)) seen.push(plan);
        }
        return query(...(args as [string, unknown[]]));
      };
      const watched = new Proxy(client, { get: (target, key) => (key === "query" ? spy : Reflect.get(target, key)) });
      await countMessages(watched, ref);
    });
    expect(seen).toEqual([]);
  });
});
