import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type MessageQuery, messageQuerySchema } from "#contracts/message/messages.ts";
import { MESSAGE_STATES } from "#domain/message/message-state.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { type PlanWatch, scansOfTable, watchPlans } from "#tests/plans-of.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { TestDatabase } from "#tests/test-database.ts";
import { variants } from "#tests/test-depth.ts";
import { missingIndexesOf } from "../outboxes/missing-indexes.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import type { Runtime } from "../runtime.ts";
import { listFailureGroups } from "./list-failure-groups.ts";
import { listMessages } from "./list-messages.ts";

const NAIVE = "CREATE INDEX naive ON outbox_events (occurred_at) WHERE dispatched_at IS NULL";
const ROWS = 200_000;
const DEAD = 30_000;
const WAITING = 600;
const FAILED = 200;

type Query = Partial<Record<keyof MessageQuery, string | number>>;
const TABS = [...MESSAGE_STATES, "unsent"] as const;

/** Dead rows are older than the waiting ones, as in a table from which they are never removed. */
async function fill(database: TestDatabase, attempts: string) {
  const { pool } = database;
  await pool.query(`CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_id text NOT NULL, event_type text NOT NULL,
    payload jsonb NOT NULL, occurred_at timestamptz NOT NULL, dispatched_at timestamptz, attempts ${attempts}, last_error text)`);
  await pool.query(`INSERT INTO outbox_events (aggregate_id, event_type, payload, occurred_at, dispatched_at, attempts, last_error)
    SELECT 'order-' || n % 20000, CASE WHEN n % 6 = 0 THEN 'invoice.rendered' ELSE 'order.paid' END, jsonb_build_object('text', repeat('x', 200)),
      now() - (${ROWS} - n) * interval '1 s', CASE WHEN n > ${DEAD} AND n <= ${ROWS - WAITING} THEN now() END,
      CASE WHEN n <= ${DEAD} THEN 10 WHEN n > ${ROWS - FAILED} THEN 3 ELSE 0 END,
      CASE WHEN n <= ${DEAD} OR n > ${ROWS - FAILED} THEN 'HTTP 500: no template ' || n END
    FROM generate_series(1, ${ROWS}) n`);
  await pool.query("VACUUM ANALYZE outbox_events");
  // A scan of this table is never bearable, as one of ten million rows is not.
  await pool.query(
    `ALTER DATABASE "${database.name}" SET seq_page_cost = 20; ALTER DATABASE "${database.name}" SET random_page_cost = 20`,
  );
}

const scans = (plans: readonly string[]) => scansOfTable(plans, "outbox_events");

describe.each(variants([["that may be null", "int"]], [["that is never null", "int NOT NULL DEFAULT 0"]]))(
  "a large table with dead rows left in it and an attempts column %s",
  (_, attempts) => {
    const database = testDatabase("migrated");
    let watched: PlanWatch;
    let runtime: Runtime;
    const list = (query: Query) => listMessages({ runtime, outbox: "orders", query: messageQuerySchema.parse(query) });
    const groups = () => listFailureGroups({ runtime, outbox: "orders" });
    const open = () => {
      runtime = openOperatedRuntime(watched.url, "outbox_events", { deadAttempts: 10 });
    };

    const plansOf = (work: () => Promise<unknown>) => watched.plansOf("outbox_events", work);

    beforeAll(async () => {
      await fill(database(), attempts);
      watched = await watchPlans(database());
    });
    afterAll(() => watched.close());
    beforeEach(open);
    afterEach(() => runtime.close());

    const readEverything = async () => {
      await takeSnapshot({ runtime, outbox: "orders" });
      for (const state of TABS) await list({ state });
      await groups();
    };

    test("without an index no tab is refused: each says what is missing, and nothing scans", async () => {
      for (const state of ["unsent", "pending", "failed", "dead", "published"] as const) {
        const page = await list({ state });
        expect(page, state).toMatchObject({ messages: [], matching: { precision: "unknown" } });
        expect(page.partial?.index, state).toMatch(/^CREATE INDEX CONCURRENTLY/);
      }
      expect(await groups()).toMatchObject({
        groups: [],
        complete: false,
        read: 0,
        index: expect.stringContaining("CREATE INDEX"),
      });
      await expect(list({ state: "dead", eventType: "invoice.rendered" })).rejects.toMatchObject({
        code: "filter_not_indexed",
      });
      const { counts, oldestPendingKnown } = await takeSnapshot({ runtime, outbox: "orders" });
      expect(counts.pending.precision).toBe("unknown");
      expect(oldestPendingKnown).toBe(false);
      expect(scans(await plansOf(readEverything))).toEqual([]);
    });

    test("with an index that also holds what was given up on, reads are bounded and say at least", async () => {
      await database().pool.query(NAIVE);
      const { counts, oldestPendingKnown, oldestPending } = await takeSnapshot({ runtime, outbox: "orders" });
      expect(counts.pending).toEqual({ value: WAITING - FAILED, precision: "capped" });
      expect(counts.failed).toEqual({ value: FAILED, precision: "capped" });
      expect(counts.dead).toEqual({ value: 10_001 - WAITING, precision: "capped" });
      expect(oldestPendingKnown).toBe(false);
      expect(oldestPending?.ageSeconds).toBeGreaterThan(WAITING - 10);
      const found = await groups();
      expect(found).toMatchObject({ complete: false, read: 10_000 });
      expect(found.groups.reduce((sum, group) => sum + group.messages, 0)).toBe(10_000 - (WAITING - FAILED));
      const first = await list({});
      expect(first).toMatchObject({ messages: [], partial: { read: 10_000 } });
      expect(first.nextCursor).not.toBeNull();
      expect(scans(await plansOf(readEverything))).toEqual([]);
    });

    test("pages of a bounded list go on where the last one stopped, to the end, and show everything once", async () => {
      const ids: string[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const page = await list({ limit: 200, ...(cursor ? { cursor } : {}) });
        ids.push(...page.messages.map(({ id }) => id));
        cursor = page.nextCursor;
        pages += 1;
      } while (cursor && pages < 50);
      expect(cursor).toBeNull();
      expect(ids).toHaveLength(WAITING);
      expect(new Set(ids).size).toBe(WAITING);
    });

    test("with the recommended indexes everything that waits, failed or died is exact, and nothing scans or is walked over", async () => {
      const { pool } = database();
      const advised = await missingIndexesOf(await runtime.outbox("orders"));
      expect(advised).toHaveLength(5);
      for (const { sql } of advised) await pool.query(sql ?? "");
      await pool.query("VACUUM ANALYZE outbox_events");
      await runtime.close();
      open();
      expect(await missingIndexesOf(await runtime.outbox("orders"))).toEqual([]);
      const { counts, oldestPendingKnown, oldestPending } = await takeSnapshot({ runtime, outbox: "orders" });
      expect(counts).toMatchObject({
        pending: { value: WAITING - FAILED, precision: "exact" },
        failed: { value: FAILED, precision: "exact" },
        dead: { value: DEAD, precision: "exact" },
      });
      expect(oldestPendingKnown).toBe(true);
      expect(oldestPending?.ageSeconds).toBeGreaterThan(WAITING - 10);
      for (const [state, count] of [
        ["unsent", WAITING],
        ["pending", WAITING - FAILED],
        ["failed", FAILED],
      ] as const)
        expect(await list({ state }), state).toMatchObject({
          matching: { value: count, precision: "exact" },
          partial: null,
        });
      expect(await list({ state: "dead" })).toMatchObject({
        matching: { value: 10_000, precision: "capped" },
        partial: null,
      });
      const plans = await plansOf(readEverything);
      expect(plans.length).toBeGreaterThan(10);
      expect(scans(plans)).toEqual([]);
      expect(plans.filter((plan) => plan.includes("naive"))).toEqual([]);
    });

    test("a filter of the dead is answered within their index, and a search finds ids, aggregates and types", async () => {
      const byType = await list({ state: "dead", eventType: "invoice.rendered" });
      expect(byType.messages).toHaveLength(50);
      expect(byType.messages.every((message) => message.eventType === "invoice.rendered")).toBe(true);
      expect(byType.matching.value).toBeGreaterThan(1000);
      expect((await list({ state: "dead", error: "no template" })).messages).toHaveLength(50);
      expect((await list({ state: "dead", q: "invoice.rendered" })).messages).toHaveLength(50);
      expect(await list({ state: "dead", error: "no template 29999" })).toMatchObject({
        messages: [{ state: "dead" }],
      });
      const none = await list({ state: "dead", eventType: "order.lost" });
      expect(none).toMatchObject({ messages: [], matching: { precision: "unknown" }, partial: { read: 10_000 } });
      const [oldest] = (
        await database().pool.query(
          "SELECT id FROM outbox_events WHERE dispatched_at IS NOT NULL ORDER BY occurred_at LIMIT 1",
        )
      ).rows;
      expect((await list({ state: "published", q: oldest.id })).messages.map(({ id }) => id)).toEqual([oldest.id]);
      expect(await list({ state: "published", aggregateId: "order-77" })).toMatchObject({
        matching: { value: 8, precision: "exact" },
      });
      const filters: Query[] = [
        { eventType: "invoice.rendered" },
        { error: "no" },
        { q: "order-77" },
        { from: "2020-01-01T00:00:00Z" },
        { aggregateId: "order-77" },
      ];
      const plans = await plansOf(async () => {
        for (const state of TABS) for (const filter of filters) await list({ state, ...filter });
      });
      expect(scans(plans)).toEqual([]);
    });

    test("a full page of an index in another order than the list's says that rows may be on no page", async () => {
      await database().pool.query("CREATE INDEX by_type ON outbox_events (event_type)");
      const page = await list({ state: "published", eventType: "invoice.rendered" });
      expect(page.messages).toHaveLength(50);
      expect(page.partial).toMatchObject({ read: 10_000, skipped: true });
      await database().pool.query("DROP INDEX by_type");
    });
  },
);
