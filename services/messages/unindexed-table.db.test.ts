import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { queryOn } from "#db/stores/postgres/connection/query-on.ts";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { countMessages } from "#db/stores/postgres/read/count-messages.ts";
import { listSources } from "#db/stores/postgres/read/list-sources.ts";
import { orderBy } from "#db/stores/shared/read/keyset.ts";
import { MESSAGE_STATES } from "#domain/message/message-state.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { checkHealth } from "../health/check-health.ts";
import { renderMetrics } from "../health/render-metrics.ts";
import { missingIndexesOf } from "../outboxes/missing-indexes.ts";
import { outboxRef } from "../outboxes/outbox-ref.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import type { Runtime } from "../runtime.ts";
import { getMessage } from "./get-message.ts";
import { list, type Query, TABLE } from "./list-messages.fixture.ts";

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

  test("lists the newest published, although an index has them in another order; that one counts them", async () => {
    const { pool } = database();
    await pool.query("CREATE INDEX by_publication ON outbox (published_at)");
    await pool.query("CREATE INDEX by_creation ON outbox (created_at DESC, id DESC)");
    await pool.query("VACUUM ANALYZE outbox");
    runtime = openOperatedRuntime(database().url, "outbox");
    const { rows } = await pool.query<{ id: string }>(
      "SELECT id::text FROM outbox WHERE published_at IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 3",
    );
    const { messages, partial, matching } = await list(runtime, { state: "published" });
    expect(messages.slice(0, 3).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    expect({ partial, matching }).toEqual({ partial: null, matching: { value: 10_000, precision: "capped" } });
    await pool.query("DROP INDEX by_publication; DROP INDEX by_creation");
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
    // The head of an aggregate: how many messages wait behind it cannot be read.
    const first = "(SELECT min(message_id) FROM outbox_console.delivery WHERE next_attempt_at IS NOT NULL)";
    const head = `UPDATE outbox_console.delivery SET aggregate_key = $1 WHERE message_id = ${first}`;
    await pool.query(head, ["order/1"]);
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
    const { text } = await renderMetrics({ runtime });
    for (const gauge of ["outbox_oldest_pending_seconds", "outbox_blocked_messages"])
      expect(text).not.toContain(`${gauge}{`);
    const { rows } = await pool.query<{ id: string }>(
      "SELECT id::text AS id FROM outbox WHERE published_at IS NULL LIMIT 1",
    );
    const detail = await getMessage({ runtime, outbox: "orders", id: rows[0]?.id ?? "" });
    expect(detail.neighbours).toHaveLength(1);
    expect(detail.neighboursUnread).toMatch(/no index/);
    expect(detail.laterPublished).toBeNull();
    await pool.query(head, [null]);
    await pool.query(`ALTER DATABASE "${name}" RESET ALL`);
  });

  test("with the recommended indexes nothing scans the table", async () => {
    const { pool } = database();
    runtime = openOperatedRuntime(database().url, "outbox");
    const advised = await missingIndexesOf(await runtime.outbox("orders"));
    expect(advised).toHaveLength(3);
    for (const { sql } of advised) await pool.query(sql ?? "");
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
