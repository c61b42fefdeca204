import pg, { type Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { FACT_LIMITS } from "#db/stores/conformance/fact-limits.fixture.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import type { OutboxHandle, Runtime } from "#services/runtime.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { type PlanWatch, scansOfTable, watchPlans } from "#tests/plans-of.ts";
import { testDatabase } from "#tests/postgres.ts";
import { createPool } from "../connection/pool.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { readBlocked } from "../read/blocked-aggregates.ts";
import { gatherFacts } from "./gather-facts.ts";

const database = testDatabase("migrated");
const ROWS = 100_000;
const DEAD = 20_000;
const WAITING = 600;
/** Messages of the stuck aggregate, its head included. */
const OF_HEAD = 40;

let plans: PlanWatch;
let runtime: Runtime;
let locker: pg.Client;
let reads: Pool;
const pools = { reads: () => reads, writes: () => reads };

/** Dead rows are older than the waiting ones, as in a table without clean-up. */
beforeAll(async () => {
  const { pool, name } = database();
  await pool.query(`CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_id text NOT NULL, event_type text NOT NULL,
    payload jsonb NOT NULL, occurred_at timestamptz NOT NULL, dispatched_at timestamptz, attempts int NOT NULL DEFAULT 0, locked_until timestamptz)`);
  await pool.query(`INSERT INTO outbox_events (aggregate_id, event_type, payload, occurred_at, dispatched_at, attempts)
    SELECT CASE WHEN n > ${ROWS - OF_HEAD} THEN 'stuck' ELSE 'order-' || n % 20000 END, 'order.paid', jsonb_build_object('text', repeat('x', 300)),
      now() - (${ROWS} - n) * interval '1 s', CASE WHEN n > ${DEAD} AND n <= ${ROWS - WAITING} THEN now() END, CASE WHEN n <= ${DEAD} THEN 10 ELSE 0 END
    FROM generate_series(1, ${ROWS}) n`);
  await pool.query(`INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, event_type, attempts, next_attempt_at, first_failed_at, last_error_code, last_error)
    SELECT 'orders', id, 'stuck', 'order.paid', 2, now() + interval '10 s', now() - interval '1 min', 'server_error', 'no FX rate'
    FROM outbox_events WHERE aggregate_id = 'stuck' ORDER BY occurred_at LIMIT 1`);
  await pool.query("VACUUM ANALYZE outbox_events");
  // A scan of this table is never bearable, as one of ten million rows is not.
  await pool.query(
    `ALTER DATABASE "${name}" SET seq_page_cost = 20; ALTER DATABASE "${name}" SET random_page_cost = 20`,
  );
  plans = await watchPlans(database());
});
afterAll(() => plans.close());

beforeEach(async () => {
  reads = createPool({
    url: plans.url,
    applicationName: "outbox-console test",
    readOnly: true,
    max: 4,
    statementTimeoutMs: 5000,
  });
  locker = new pg.Client({ connectionString: database().url, application_name: "billing-report" });
  await locker.connect();
  await locker.query("BEGIN; SELECT id FROM outbox_events WHERE aggregate_id = 'stuck' LIMIT 3 FOR UPDATE");
});

afterEach(async () => {
  await locker.end();
  await reads.end();
  await runtime.close();
  await database().pool.query("DROP INDEX IF EXISTS naive, exact, aggregates");
});

async function open(index?: string): Promise<{ handle: OutboxHandle; ref: OutboxRef }> {
  if (index) await database().pool.query(index);
  runtime = openOperatedRuntime(plans.url, "outbox_events", { deadAttempts: 10 });
  const handle = await runtime.outbox("orders");
  return { handle, ref: outboxRef(handle) };
}

async function gather(index?: string) {
  const { ref } = await open(index);
  const gathered = await gatherFacts(pools, ref, FACT_LIMITS);
  const found = await plans.plansOf("outbox_events", () => gatherFacts(pools, ref, FACT_LIMITS));
  expect(found).not.toEqual([]);
  expect(scansOfTable(found, "outbox_events")).toEqual([]);
  return { ...gathered, unread: gathered.unread.map(({ fact }) => fact) };
}

test("without an index nothing scans, and what only a scan could tell is not read, instead of none", async () => {
  const { facts, unread } = await gather();
  expect(unread.sort()).toEqual(["clockSkew", "expiredClaims", "waiting", "waitingByType"]);
  expect(facts.blocked).toMatchObject([{ aggregate: "stuck", waiting: null, waitingCapped: false }]);
  expect(facts.lockHolders).toMatchObject([{ applicationName: "billing-report", rows: null }]);
});

test("what only a scan could tell is no trouble of the store, so that no log calls it one", async () => {
  const { handle } = await open();
  const { unread } = await outboxOf(handle).watch.facts(FACT_LIMITS);
  expect(unread.map(({ fact, error }) => [fact, troubleOf(error)]).sort()).toEqual(
    ["clockSkew", "expiredClaims", "waiting", "waitingByType"].map((fact) => [fact, "unindexed"]),
  );
});

test("with an index that also holds what was given up on, reads are bounded and say at least", async () => {
  const { facts, unread } = await gather(
    "CREATE INDEX naive ON outbox_events (occurred_at) WHERE dispatched_at IS NULL",
  );
  expect(unread).not.toContain("waiting");
  expect(facts.waiting).toMatchObject({ due: WAITING - OF_HEAD, overdue: WAITING - OF_HEAD, capped: true });
  expect(facts.waitingByType).toEqual([{ eventType: "order.paid", messages: WAITING }]);
  expect(facts.blocked).toMatchObject([{ aggregate: "stuck", waiting: OF_HEAD - 1, waitingCapped: true }]);
  expect(facts.lockHolders).toMatchObject([{ applicationName: "billing-report", rows: 3 }]);
});

test("with an index of just what waits, everything is counted", async () => {
  const { facts } = await gather(
    "CREATE INDEX exact ON outbox_events (occurred_at) WHERE dispatched_at IS NULL AND attempts < 10",
  );
  expect(facts.waiting).toMatchObject({ due: WAITING - OF_HEAD, capped: false });
  expect(facts.blocked).toMatchObject([{ aggregate: "stuck", waiting: OF_HEAD - 1, waitingCapped: false }]);
  expect(facts.lockHolders).toMatchObject([{ rows: 3 }]);
});

test("of more failing aggregates than one read takes, it takes those that have failed the longest", async () => {
  const { pool } = database();
  await pool.query(`INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, attempts, next_attempt_at, first_failed_at)
    SELECT 'orders', gen_random_uuid(), 'a-' || n, 1, now(), now() - interval '10 s' FROM generate_series(1, 250) n`);
  const { facts } = await gather("CREATE INDEX aggregates ON outbox_events (aggregate_id)");
  expect(facts.blocked).toHaveLength(200);
  expect(facts.blocked?.[0]).toMatchObject({ aggregate: "stuck", waiting: OF_HEAD - 1 });
  await pool.query("DELETE FROM outbox_console.delivery WHERE aggregate_key LIKE 'a-%'");
});

test("a page of blocked aggregates scans no table, and counts what waits by the aggregate's index", async () => {
  const { ref } = await open("CREATE INDEX aggregates ON outbox_events (aggregate_id)");
  const read = () => withReadTransaction(reads, 3000, (client) => readBlocked(client, ref, { limit: 50 }));
  const page = await read();
  expect(page.aggregates).toMatchObject([{ aggregateKey: "stuck", waiting: OF_HEAD - 1, waitingCapped: false }]);
  const found = await plans.plansOf("outbox_events", read);
  expect(found).not.toEqual([]);
  expect(scansOfTable(found, "outbox_events")).toEqual([]);
});

test("with an index by aggregate alone, only the blocked ones are counted", async () => {
  const { facts, unread } = await gather("CREATE INDEX aggregates ON outbox_events (aggregate_id)");
  expect(unread).toContain("waiting");
  expect(facts.blocked).toMatchObject([{ aggregate: "stuck", waiting: OF_HEAD - 1, waitingCapped: false }]);
});
