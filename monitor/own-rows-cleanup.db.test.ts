import { expect, test, vi } from "vitest";
import { readRelayTotals } from "#db/stores/postgres/own-schema/retire-relays.ts";
import { RETIRED } from "#db/stores/shared/own-tables/retired-relays.ts";
import { demoDatabase } from "./demo-database.fixture.ts";
import { OwnRowsCleanup } from "./own-rows-cleanup.ts";

const { demo, query, count } = demoDatabase();
const { signal } = new AbortController();

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
  const totals = await readRelayTotals(demo().pool, "orders");
  expect(totals).toEqual({ published: 117, failures: 3, latency: [2, 8, 4] });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 86_400_000 });
  await new OwnRowsCleanup({ runtime: demo().runtime, signal }).runOnce().finally(() => vi.useRealTimers());
  expect(await count("SELECT count(*) FROM outbox_console.attempt"), "the database's clock is ahead").toBe(2);
  await new OwnRowsCleanup({ runtime: demo().runtime, signal }).runOnce();
  await new OwnRowsCleanup({ runtime: demo().runtime, signal }).runOnce();
  expect(await readRelayTotals(demo().pool, "orders")).toEqual(totals);
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
    await new OwnRowsCleanup({ runtime: demo().runtime, signal }).runOnce();
    return (await query("SELECT message_id FROM outbox_console.restored ORDER BY 1")).map((row) => row.message_id);
  };
  expect(await ids()).toEqual(["new", "old"]);
  await query("SELECT pg_drop_replication_slot($1)", [slot?.name]);
  expect(await ids()).toEqual(["new"]);
});
