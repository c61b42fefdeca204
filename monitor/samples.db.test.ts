import { expect, test } from "vitest";
import { recordsOver } from "#db/records/open-records.ts";
import { addLatency, emptyLatencies } from "#domain/relay/latency-histogram.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { openRuntime } from "#services/runtime.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { demoDatabase } from "./demo-database.fixture.ts";
import { RollUp } from "./roll-up.ts";
import { Sampler } from "./sampler.ts";

const { database, demo, query, count } = demoDatabase();
const { signal } = new AbortController();

test("samples rates from the sequence and from the relays' counters", async () => {
  const sampler = new Sampler({ runtime: demo().runtime, records: recordsOver(demo().pool), signal });
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
  await sampler.sample(demo().outbox);
  expect(await query("SELECT in_per_second, out_per_second FROM outbox_console_app.sample")).toEqual([
    { in_per_second: null, out_per_second: null },
  ]);
  await addEvents(90);
  await beat(50);
  await query("TRUNCATE outbox_console_app.sample");
  await sampler.sample(demo().outbox);
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
  const sampler = new Sampler({ runtime, records: recordsOver(demo().pool), signal });
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
  const sampler = new Sampler({ runtime, records: recordsOver(demo().pool), signal });
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
  const rollUp = new RollUp({ records: recordsOver(demo().pool) });
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
  await new RollUp({ records: recordsOver(demo().pool) }).runOnce();
  const hours = await query("SELECT backlog::int FROM outbox_console_app.sample WHERE step_seconds = 3600");
  expect(hours).toEqual([{ backlog: 900 }]);
});
