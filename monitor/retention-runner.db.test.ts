import { afterEach, expect, test, vi } from "vitest";
import { configSchema } from "#services/config/config-schema.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { getStorage } from "#services/storage/get-storage.ts";
import { acceptFirstMapping } from "#services/stores/accept-first-mapping.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { createTestDatabase, testDatabase } from "#tests/postgres.ts";
import { RetentionRunner } from "./retention-runner.ts";

const database = testDatabase("migrated");
const RETENTION = { published: { keep: "14d" } };
let runtime: Runtime;

const query = async (text: string) => (await database().pool.query(text)).rows;

async function open(outbox: Record<string, unknown>): Promise<Pick<RetentionRunner, "runOnce">> {
  await query("DROP SCHEMA public CASCADE; CREATE SCHEMA public; TRUNCATE outbox_console.mapping_fingerprint");
  await query(`CREATE TABLE outbox_events (id bigserial PRIMARY KEY, aggregate_id text, event_type text NOT NULL,
    payload jsonb NOT NULL, occurred_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz)`);
  await query(`INSERT INTO outbox_events (event_type, payload, occurred_at, dispatched_at)
    SELECT 'order.placed', '{}', now() - interval '20 days', CASE WHEN n % 100 > 0 THEN now() - interval '20 days' END FROM generate_series(1, 3000) n`);
  runtime = openOperatedRuntime(database().url, "public.outbox_events", outbox);
  const runner = new RetentionRunner({ runtime, signal: new AbortController().signal, everyMs: 0 });
  return { runOnce: () => runner.runOnce().then(() => runner.settle()) };
}

afterEach(() => runtime.close());

test("removes what the policy names in batches, tells what it did, and leaves what is not published", async () => {
  const runner = await open({ retention: RETENTION });
  await runner.runOnce();
  expect(
    await query("SELECT count(*)::int AS rows, count(dispatched_at)::int AS published FROM outbox_events"),
  ).toEqual([{ rows: 30, published: 0 }]);
  const { retention, size } = await getStorage({ runtime, outbox: "orders" });
  expect(retention).toMatchObject({ policies: ["published 14 d, then delete"], refusal: null });
  expect(retention.runs).toMatchObject([{ subject: "published", rows: 2_970, end: "done" }]);
  expect(size.totalBytes).toBeGreaterThan(0);
});

test("without a policy nothing is removed, and an observed outbox may not have one", async () => {
  const runner = await open({});
  await runner.runOnce();
  expect(await query("SELECT count(*)::int AS rows FROM outbox_events")).toEqual([{ rows: 3_000 }]);
  expect(() =>
    openOperatedRuntime(database().url, "public.outbox_events", { mode: "observe", retention: RETENTION }),
  ).toThrow(/needs mode: operate or relay/);
});

test("a table that was changed since its mapping was accepted keeps all its rows", async () => {
  const runner = await open({ retention: RETENTION });
  await acceptFirstMapping(runtime, await runtime.outbox("orders"), "test");
  await query("ALTER TABLE outbox_events RENAME payload TO body");
  await runtime.refresh("shop");
  await runner.runOnce();
  expect(await query("SELECT count(*)::int AS rows FROM outbox_events")).toEqual([{ rows: 3_000 }]);
});

test("a worker whose clock is behind the database's removes nothing, and the history says why", async () => {
  const runner = await open({ retention: RETENTION });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 7 * 86_400_000 });
  try {
    await runner.runOnce();
  } finally {
    vi.useRealTimers();
  }
  expect(await query("SELECT count(*)::int AS rows FROM outbox_events")).toEqual([{ rows: 3_000 }]);
  const { retention } = await getStorage({ runtime, outbox: "orders" });
  expect(retention.runs[0]).toMatchObject({
    ...{ rows: 0, end: "refused" },
    detail: expect.stringContaining("is 7 d 0 h ahead of this worker's"),
  });
});

test("a store that does not answer delays no other, and nothing is removed after the abort", async () => {
  await open({});
  const far = await createTestDatabase("migrated");
  const old = (table: string) => `INSERT INTO ${table} (event_type, payload, occurred_at, dispatched_at)
    SELECT 'order.placed', '{}', now() - interval '20 days', now() - interval '20 days' FROM generate_series(1, 10) n`;
  await far.pool.query(`${OUTBOX_EVENTS}; ${old("outbox_events")}`);
  await query(`CREATE TABLE inbox (id uuid PRIMARY KEY, message_id uuid NOT NULL, received_at timestamptz NOT NULL, processed_at timestamptz);
    INSERT INTO inbox SELECT gen_random_uuid(), gen_random_uuid(), now() - interval '40 days', now() - interval '40 days' FROM generate_series(1, 10)`);
  const operated = { table: "public.outbox_events", mode: "operate" as const, retention: RETENTION };
  const two = openRuntime({
    config: configSchema.parse({
      stores: { far: { kind: "postgres", url: far.url }, shop: { kind: "postgres", url: database().url } },
      outboxes: {
        distant: { store: "far", ...operated },
        orders: { store: "shop", ...operated },
      },
      inboxes: { billing: { store: "shop", table: "public.inbox", outbox: "orders", retention: { keep: "35d" } } },
    }),
    applicationName: "outbox-console test",
    env: {},
  });
  const answer = Promise.withResolvers<void>();
  const { records } = (await two.outbox("distant")).store;
  const { keepFirstMapping } = records;
  Object.assign(records, {
    keepFirstMapping: async (...input: Parameters<typeof keepFirstMapping>) => {
      await answer.promise;
      return keepFirstMapping(...input);
    },
  });
  const stopping = new AbortController();
  const runner = new RetentionRunner({ runtime: two, signal: stopping.signal, everyMs: 0 });
  try {
    const left = async () => {
      await runner.runOnce();
      return query(
        "SELECT (SELECT count(*)::int FROM inbox) AS inbox, count(*) FILTER (WHERE dispatched_at IS NOT NULL)::int AS published FROM outbox_events",
      );
    };
    await expect.poll(left).toEqual([{ inbox: 0, published: 0 }]);
    stopping.abort();
    answer.resolve();
    await runner.settle();
    const { rows } = await far.pool.query("SELECT count(*)::int AS rows FROM outbox_events");
    expect(rows).toEqual([{ rows: 10 }]);
  } finally {
    answer.resolve();
    await runner.settle();
    await two.close();
    await far.drop();
  }
});
