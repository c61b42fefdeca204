import { afterEach, expect, test, vi } from "vitest";
import type { Runtime } from "#services/runtime.ts";
import { getStorage } from "#services/storage/get-storage.ts";
import { acceptFirstMapping } from "#services/stores/accept-first-mapping.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { RetentionRunner } from "./retention-runner.ts";

const database = testDatabase("migrated");
const RETENTION = { published: { keep: "14d" } };
let runtime: Runtime;

const query = async (text: string) => (await database().pool.query(text)).rows;

async function open(outbox: Record<string, unknown>): Promise<RetentionRunner> {
  await query("DROP SCHEMA public CASCADE; CREATE SCHEMA public; TRUNCATE outbox_console.mapping_fingerprint");
  await query(`CREATE TABLE outbox_events (id bigserial PRIMARY KEY, aggregate_id text, event_type text NOT NULL,
    payload jsonb NOT NULL, occurred_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz)`);
  await query(`INSERT INTO outbox_events (event_type, payload, occurred_at, dispatched_at)
    SELECT 'order.placed', '{}', now() - interval '20 days', CASE WHEN n % 100 > 0 THEN now() - interval '20 days' END FROM generate_series(1, 3000) n`);
  runtime = openOperatedRuntime(database().url, "public.outbox_events", outbox);
  return new RetentionRunner({ runtime, signal: new AbortController().signal });
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
