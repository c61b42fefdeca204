import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openRecords, recordsOver } from "#db/records/open-records.ts";
import { readRelayTotals } from "#db/stores/postgres/own-schema/retire-relays.ts";
import { RETIRED } from "#db/stores/shared/own-tables/retired-relays.ts";
import { type DemoRuntime, openDemoRuntime } from "#demo/testing/demo-runtime.fixture.ts";
import { addLatency, emptyLatencies } from "#domain/relay/latency-histogram.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { listOutboxes } from "#services/outboxes/list-outboxes.ts";
import { openRuntime } from "#services/runtime.ts";
import { createTestDatabase, testDatabase } from "#tests/postgres.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { OwnRowsCleanup } from "./own-rows-cleanup.ts";
import { RollUp } from "./roll-up.ts";
import { Sampler } from "./sampler.ts";
import { startMonitor } from "./start-monitor.ts";
import { Watchdog } from "./watchdog.ts";

const database = testDatabase();
let demo: DemoRuntime;

beforeAll(async () => {
  demo = await openDemoRuntime(database().url);
});
afterAll(() => demo.close());

const query = async (sql: string, values: unknown[] = []) => (await demo.pool.query(sql, values)).rows;
const count = async (sql: string, values: unknown[] = []) => Number((await query(sql, values))[0]?.count);
const { signal } = new AbortController();
const fast = { leaseMs: 10_000, renewMs: 100 };
/** Started monitors, stopped after each test. */
const brief = { leaseMs: 900, renewMs: 100 };

test("one of two monitors leads; when it stops, the other takes over at once", async () => {
  const first = await startMonitor({ runtime: demo.runtime, ...fast });
  await waitFor(() => first.leads, { message: "the first leads" });
  const second = await startMonitor({ runtime: demo.runtime, ...fast });
  await waitFor(async () => (await count("SELECT count(*) FROM outbox_console_app.sample")) > 0, {
    message: "the leader has sampled",
  });
  expect([first.leads, second.leads]).toEqual([true, false]);
  await first.stop();
  await waitFor(() => second.leads, { message: "the second leads" });
  await second.stop();
  expect(second.leads).toBe(false);
});

test("when the leader stops renewing, another takes over after its lease, and the first stops before that", async () => {
  const proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
  const url = new URL(database().url);
  url.port = String(proxy.port);
  const cutOff = await openDemoRuntime(database().url, url.toString());
  const first = await startMonitor({ runtime: cutOff.runtime, ...brief });
  await waitFor(() => first.leads, { message: "the first leads" });
  await proxy.refuse();
  const second = await startMonitor({ runtime: demo.runtime, ...brief });
  await waitFor(() => second.leads, { message: "the second leads" });
  expect(first.leads).toBe(false);
  await proxy.resume();
  await second.stop();
  await waitFor(() => first.leads, { message: "the first leads again once its database is back" });
  await first.stop();
  await cutOff.close();
  await proxy.close();
});

test("a leader whose database hangs stops before its lease expires", async () => {
  const proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
  const url = new URL(database().url);
  url.port = String(proxy.port);
  const hanging = await openDemoRuntime(database().url, url.toString());
  const first = await startMonitor({ runtime: hanging.runtime, leaseMs: 6000, renewMs: 100 });
  await waitFor(() => first.leads, { message: "it leads" });
  proxy.pause();
  await waitFor(() => !first.leads, { message: "it leads no more" });
  expect(await count("SELECT count(*) FROM outbox_console_app.monitor_lease WHERE until > clock_timestamp()")).toBe(1);
  await proxy.resume();
  await first.stop();
  await hanging.close();
  await proxy.close();
});

test("an aborted signal stops it", async () => {
  const stopping = new AbortController();
  const monitor = await startMonitor({ runtime: demo.runtime, signal: stopping.signal, ...fast });
  await waitFor(() => monitor.leads, { message: "it leads" });
  stopping.abort();
  await waitFor(() => !monitor.leads, { message: "it has stopped" });
  await monitor.stop();
});

test("samples rates from the sequence and from the relays' counters", async () => {
  const sampler = new Sampler({ runtime: demo.runtime, records: recordsOver(demo.pool), signal });
  const addEvents = (events: number) =>
    query(
      "INSERT INTO shop.outbox_events (aggregate_type, aggregate_id, event_type, payload) SELECT 'order', 'ord-' || n, 'order.paid', '{}' FROM generate_series(1, $1) n",
      [events],
    );
  const beat = (published: number) => {
    const latency = emptyLatencies();
    for (let each = 0; each < published; each += 1) addLatency(latency, 4);
    return query(
      `INSERT INTO outbox_console.relay_instance (id, outbox, host, pid, version, state, source, sink, latency, published, failures)
       VALUES ('a', 'orders', 'h', 1, '1', 'owner', 'polling', '{"name": "gateway", "kind": "http", "address": "x"}', $1, $2, 0)
       ON CONFLICT (outbox, id) DO UPDATE SET latency = excluded.latency, published = excluded.published`,
      [latency, published],
    );
  };
  await query("TRUNCATE outbox_console_app.sample");
  await addEvents(10);
  await beat(5);
  await sampler.sample(demo.outbox);
  expect(await query("SELECT in_per_second, out_per_second FROM outbox_console_app.sample")).toEqual([
    { in_per_second: null, out_per_second: null },
  ]);
  await addEvents(90);
  await beat(50);
  await query("TRUNCATE outbox_console_app.sample");
  await sampler.sample(demo.outbox);
  const [sample] = await query("SELECT * FROM outbox_console_app.sample");
  expect(sample.in_per_second / sample.out_per_second).toBeCloseTo(2, 5);
  expect(sample).toMatchObject({ step_seconds: 5, failures_per_second: 0, dead: 0 });
  expect(sample.p50_ms).toBeGreaterThanOrEqual(4);
  expect(sample.at.getTime() % 5_000).toBe(0);
});

test("a message of an unknown state of an observed outbox did not go out", async () => {
  const other = await createTestDatabase("migrated");
  await other.pool.query(
    "CREATE TABLE public.outbox_events (id bigserial PRIMARY KEY, aggregate_id text, event_type text, payload jsonb, created_at timestamptz DEFAULT now(), status text NOT NULL DEFAULT 'PENDING')",
  );
  const yaml = `
console: { databaseUrl: "${database().url}" }
stores: { far: { kind: postgres, url: "${other.url}" } }
outboxes: { limbo: { store: far, table: public.outbox_events } }`;
  const runtime = openRuntime({
    config: parseConfig(yaml, {}, "test"),
    applicationName: "outbox-console test",
    env: {},
  });
  const insert = (status: string) =>
    other.pool.query(
      "INSERT INTO outbox_events (aggregate_id, event_type, payload, status) SELECT 'a', 'b', '{}', $1 FROM generate_series(1, 20)",
      [status],
    );
  const sampler = new Sampler({ runtime, records: recordsOver(demo.pool), signal });
  const sampled = async () => {
    await query("TRUNCATE outbox_console_app.sample");
    await sampler.runOnce();
    await sampler.settle();
    return (await query("SELECT * FROM outbox_console_app.sample"))[0];
  };
  const outAfter = async (status: string): Promise<number> => {
    await insert(status);
    const sample = await waitFor(
      async () => {
        const found = await sampled();
        return typeof found?.out_per_second === "number" && found;
      },
      { message: "the rate is known" },
    );
    return sample.out_per_second;
  };
  await runtime.tables();
  await sampled();
  expect(await outAfter("LIMBO")).toBe(0);
  expect(await outAfter("DEAD")).toBe(0);
  expect(await outAfter("PUBLISHED")).toBeGreaterThan(0);
  await runtime.close();
  await other.drop();
});

test("a store that is down leaves a gap and affects no other", async () => {
  const [other, proxy] = await Promise.all([
    createTestDatabase("migrated"),
    startTcpProxy({ port: Number(new URL(database().url).port) }),
  ]);
  await other.pool.query(
    "CREATE TABLE public.outbox_events (id bigserial PRIMARY KEY, aggregate_id text, event_type text, payload jsonb, created_at timestamptz DEFAULT now(), published_at timestamptz)",
  );
  const url = new URL(other.url);
  url.port = String(proxy.port);
  const yaml = `
console: { databaseUrl: "${database().url}" }
stores: { shop: { kind: postgres, url: "${database().url}" }, far: { kind: postgres, url: "${url}" } }
outboxes: { orders: { store: shop, table: shop.outbox_events }, elsewhere: { store: far, table: public.outbox_events } }`;
  const runtime = openRuntime({
    config: parseConfig(yaml, {}, "test"),
    applicationName: "outbox-console test",
    env: {},
  });
  await runtime.tables();
  await query("TRUNCATE outbox_console_app.sample");
  const sampler = new Sampler({ runtime, records: recordsOver(demo.pool), signal });
  await sampler.runOnce();
  await sampler.settle();
  const sampled = async () =>
    (await query("SELECT DISTINCT outbox FROM outbox_console_app.sample")).map((row) => row.outbox);
  expect((await sampled()).sort()).toEqual(["elsewhere", "orders"]);
  await query("TRUNCATE outbox_console_app.sample");
  await proxy.refuse();
  await waitFor(
    async () => {
      await sampler.runOnce();
      await sampler.settle();
      return (await sampled()).includes("orders");
    },
    { message: "the other outbox is still sampled" },
  );
  expect(await sampled()).toEqual(["orders"]);
  await runtime.close();
  await proxy.close();
  await other.drop();
});

test("samples roll up to minutes and hours once, with gaps left as gaps, and old ones go", async () => {
  const at = "date_trunc('hour', clock_timestamp()) - interval '2 hours'";
  await query("TRUNCATE outbox_console_app.sample");
  await query(
    `INSERT INTO outbox_console_app.sample (outbox, step_seconds, at, in_per_second, backlog, p99_ms)
     SELECT 'orders', 5, ${at} + n * interval '5 seconds', CASE WHEN n < 12 THEN 10 ELSE 20 END, n, NULL FROM generate_series(0, 23) n`,
  );
  await query(
    `INSERT INTO outbox_console_app.sample (outbox, step_seconds, at, backlog) VALUES
     ('orders', 5, now() - interval '7 hours', 1), ('orders', 60, now() - interval '4 days', 1), ('orders', 3600, now() - interval '31 days', 1)`,
  );
  const rollUp = new RollUp({ records: recordsOver(demo.pool) });
  await rollUp.runOnce();
  await rollUp.runOnce();
  const minutes = await query(
    `SELECT in_per_second::int AS rate, backlog::int, p99_ms FROM outbox_console_app.sample WHERE step_seconds = 60 AND at >= ${at} ORDER BY at`,
  );
  expect(minutes).toEqual([
    { rate: 10, backlog: 11, p99_ms: null },
    { rate: 20, backlog: 23, p99_ms: null },
  ]);
  expect(
    await query(
      `SELECT in_per_second::int AS rate, backlog::int FROM outbox_console_app.sample WHERE step_seconds = 3600 AND at >= ${at}`,
    ),
  ).toEqual([{ rate: 15, backlog: 23 }]);
  expect(await count("SELECT count(*) FROM outbox_console_app.sample WHERE step_seconds = 5")).toBe(24);
  expect(await count("SELECT count(*) FROM outbox_console_app.sample WHERE at < now() - interval '30 days'")).toBe(0);
});

test("the hour of the last minutes stays as it was once most of them are deleted", async () => {
  const hour = "date_trunc('hour', clock_timestamp()) - interval '73 hours'";
  await query("TRUNCATE outbox_console_app.sample");
  await query(
    `INSERT INTO outbox_console_app.sample (outbox, step_seconds, at, backlog) VALUES
     ('orders', 3600, ${hour}, 900), ('orders', 60, ${hour} + interval '59 minutes', 1)`,
  );
  await new RollUp({ records: recordsOver(demo.pool) }).runOnce();
  const hours = await query("SELECT backlog::int FROM outbox_console_app.sample WHERE step_seconds = 3600");
  expect(hours).toEqual([{ backlog: 900 }]);
});

test("retention forgets old attempts and relays that are gone, but not the last one seen", async () => {
  await query("TRUNCATE outbox_console.relay_instance");
  await query(
    `INSERT INTO outbox_console.attempt (outbox, message_id, number, started_at, outcome) VALUES
     ('orders', 'a', 1, now() - interval '31 days', 'failed'), ('orders', 'b', 1, now(), 'failed')`,
  );
  await query(
    `INSERT INTO outbox_console.relay_instance (id, outbox, host, pid, version, state, source, sink, published, failures, latency, heartbeat_at) VALUES
     ('older', 'orders', 'h', 1, '1', 'stopped', 'polling', '{}', 7, 1, '{1,2,3}', now() - interval '4 days'),
     ('old', 'orders', 'h', 1, '1', 'stopped', 'polling', '{}', 10, 0, '{0,5,0}', now() - interval '3 days'),
     ('last', 'orders', 'h', 1, '1', 'stopped', 'polling', '{}', 100, 2, '{1,1,1}', now() - interval '2 days')`,
  );
  const totals = await readRelayTotals(demo.pool, "orders");
  expect(totals).toEqual({ published: 117, failures: 3, latency: [2, 8, 4] });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 86_400_000 });
  await new OwnRowsCleanup({ runtime: demo.runtime, signal }).runOnce().finally(() => vi.useRealTimers());
  expect(await count("SELECT count(*) FROM outbox_console.attempt"), "the database's clock is ahead").toBe(2);
  await new OwnRowsCleanup({ runtime: demo.runtime, signal }).runOnce();
  await new OwnRowsCleanup({ runtime: demo.runtime, signal }).runOnce();
  expect(await readRelayTotals(demo.pool, "orders")).toEqual(totals);
  expect((await query("SELECT message_id FROM outbox_console.attempt")).map((row) => row.message_id)).toEqual(["b"]);
  expect((await query("SELECT id FROM outbox_console.relay_instance")).map((row) => row.id)).toEqual(
    expect.arrayContaining(["last", RETIRED]),
  );
});

test("retention forgets a restored row once no slot can replay its insert", async () => {
  await query("TRUNCATE outbox_console.restored");
  const [slot] = await query("SELECT 'kept_' || current_database() AS name");
  await query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot?.name]);
  await query(
    `INSERT INTO outbox_console.restored (outbox, message_id, at) VALUES
     ('orders', 'old', now() - interval '31 days'), ('orders', 'new', now())`,
  );
  const ids = async () => {
    await new OwnRowsCleanup({ runtime: demo.runtime, signal }).runOnce();
    return (await query("SELECT message_id FROM outbox_console.restored ORDER BY 1")).map((row) => row.message_id);
  };
  expect(await ids()).toEqual(["new", "old"]);
  await query("SELECT pg_drop_replication_slot($1)", [slot?.name]);
  expect(await ids()).toEqual(["new"]);
});

test("a console database that is not there is no crash", async () => {
  const url = "postgres://nobody@127.0.0.1:1/none";
  const records = openRecords({ url, applicationName: "outbox-console test" });
  const monitor = await startMonitor({ runtime: { ...demo.runtime, records }, ...fast });
  expect(monitor.leads).toBe(false);
  await monitor.stop();
  await records.close();
});

test("an outbox that cannot be read is a finding of its history, in the list's words, until it is read", async () => {
  const watchdog = new Watchdog({ runtime: demo.runtime, records: recordsOver(demo.pool), signal });
  const look = async () => watchdog.look(await demo.runtime.outbox("orders"));
  const open = () =>
    query(
      "SELECT subject, detail ->> 'sentence' AS sentence FROM outbox_console_app.finding WHERE outbox = 'orders' AND rule = 'mapping' AND closed_at IS NULL",
    );
  await query("ALTER TABLE shop.outbox_events RENAME TO gone");
  const refused = () =>
    look().then(
      () => false,
      () => true,
    );
  await waitFor(refused, { message: "it cannot be read" });
  const { outboxes } = await listOutboxes({ runtime: demo.runtime });
  const said = outboxes.find(({ name }) => name === "orders")?.verdict.cause;
  // A check that began before the catalog was read again reports the database's own words.
  await watchdog.runOnce();
  await watchdog.settle();
  expect(await open()).toEqual([{ subject: "unreadable", sentence: said }]);
  await query("ALTER TABLE shop.gone RENAME TO outbox_events");
  demo.runtime.reread();
  await waitFor(async () => !(await refused()), { message: "it is read again" });
  expect(await open()).toEqual([]);
});
