import pg, { type Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { type DemoRuntime, openDemoRuntime } from "#demo/testing/demo-runtime.fixture.ts";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createPool } from "../connection/pool.ts";
import { gatherFacts } from "./gather-facts.ts";

const database = testDatabase();
let demo: DemoRuntime;
let ref: OutboxRef;
let reads: Pool;
const pools = { reads: () => reads, writes: () => reads };
const limits = {
  ...{ overdueSeconds: 30, claimGraceSeconds: 0, lockHeldSeconds: 0, oldTransactionSeconds: 0 },
  ...{ scheduledFarSeconds: 60, clockSkewSeconds: 5, relay: null },
};

beforeAll(async () => {
  demo = await openDemoRuntime(database().url);
  ref = outboxRef(demo.outbox);
  reads = createPool({
    ...{ url: database().url, applicationName: "outbox-console test" },
    ...{ readOnly: true, max: 4, statementTimeoutMs: 5000 },
  });
  await demo.pool.query(`
    CREATE TABLE public.sent_per_day (day int PRIMARY KEY, messages int NOT NULL);
    INSERT INTO public.sent_per_day VALUES (1, 0);
    CREATE FUNCTION public.count_sent() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN UPDATE public.sent_per_day SET messages = messages + 1 WHERE day = 1; RETURN NEW; END $$;
    CREATE TRIGGER count_sent AFTER UPDATE ON shop.outbox_events FOR EACH ROW EXECUTE FUNCTION public.count_sent();
    INSERT INTO shop.outbox_events (aggregate_type, aggregate_id, event_type, payload)
    SELECT 'order', 'ord-' || n, 'order.paid', '{}' FROM generate_series(1, 3) n`);
});
afterAll(() => Promise.all([demo.close(), reads.end()]));

async function session(applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database().url, application_name: applicationName });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

const holders = async () => (await gatherFacts(pools, ref, limits)).facts.lockHolders ?? [];

test.each([
  ["LOCK TABLE public.sent_per_day IN ACCESS EXCLUSIVE MODE", "the table sent_per_day", "AccessExclusiveLock"],
  ["UPDATE public.sent_per_day SET messages = 0", "rows of sent_per_day", "ExclusiveLock"],
])("after %s a relay whose marks wait in a trigger names the session and what it holds", async (sql, what, mode) => {
  const report = await session("daily-report");
  await report.query("BEGIN");
  await report.query(sql);
  const relay = await session("outbox-console relay");
  const marking = relay.query("UPDATE shop.outbox_events SET published_at = now() WHERE aggregate_id = 'ord-1'");
  const named = await waitFor(async () => (await holders()).find((one) => one.elsewhere !== undefined) ?? null, {
    message: "the report is named",
  });
  expect(named).toMatchObject({
    ...{ applicationName: "daily-report", elsewhere: what, mode, state: "idle in transaction" },
    ...{ rows: 0, wholeTable: false, endStatement: `SELECT pg_terminate_backend(${named.pid})` },
  });
  expect(named.blockedPids).toHaveLength(1);
  await report.query("ROLLBACK");
  await marking;
  expect(await holders()).toEqual([]);
  await Promise.all([report.end(), relay.end()]);
});

test("a producer that waits elsewhere is the business of its own service", async () => {
  const report = await session("daily-report");
  await report.query("BEGIN; UPDATE public.sent_per_day SET messages = 0");
  const service = await session("shop");
  const changing = service.query("UPDATE shop.outbox_events SET payload = '{}' WHERE aggregate_id = 'ord-2'");
  await waitFor(
    async () => {
      const { rows } = await demo.pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      return rows.length > 0;
    },
    { message: "the service waits" },
  );
  expect((await holders()).filter((one) => one.elsewhere !== undefined)).toEqual([]);
  await report.query("ROLLBACK");
  await changing;
  await Promise.all([report.end(), service.end()]);
});
