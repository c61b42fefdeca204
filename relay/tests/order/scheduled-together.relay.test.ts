import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents, inversions, OUTBOX_DDL } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

let harness: RelayHarness;
beforeEach(async () => {
  harness = await openHarness(OUTBOX_DDL);
  await harness.pool.query("ALTER TABLE outbox_events ADD available_at timestamptz");
});
afterEach(() => harness.close());

test("messages of one aggregate that become due at the same instant go out in order", async () => {
  const { pool } = harness;
  await harness.start({ outbox: ["columns: { availableAt: available_at }"] });
  // A published row, so that the relay has a watermark.
  await insertEvents(pool, { count: 1, prefix: "first" });
  await harness.waitUntilSent();
  // Until they are due, the watermark passes to the last of them. Which read finds them first is a matter of chance.
  await pool.query("ALTER TABLE outbox_events ALTER available_at SET DEFAULT now() + interval '3500 ms'");
  for (const wave of [0, 1, 2]) {
    await insertEvents(pool, { count: 30, aggregates: 3, from: wave * 10 });
    await harness.waitUntilSent(20_000);
  }
  expect(inversions(harness.deliveries())).toEqual([]);
}, 60_000);

test("so do those of many instants, where more rows wait before them than one search reads", async () => {
  const { pool } = harness;
  await harness.start({ outbox: ["columns: { availableAt: available_at }"] });
  await insertEvents(pool, { count: 1, prefix: "first" });
  await harness.waitUntilSent();
  const schedule = (instants: number, rows: number, from: string) =>
    pool.query(
      `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, available_at)
       SELECT 'order', a, 'order.changed', jsonb_build_object('aggregate', a, 'n', n), now() + $3::interval + i * interval '300 ms'
       FROM generate_series(1, $1) i, generate_series(1, $2) n, LATERAL (SELECT 'at' || i || '-' || n % 3 AS a) of ORDER BY i, n`,
      [instants, rows, from],
    );
  await schedule(1, 30_000, "1 hour");
  await pool.query("ANALYZE outbox_events");
  await schedule(40, 30, "4 seconds");
  await waitFor(() => harness.receiver.requests.length === 1 + 40 * 30, { message: "all that are due are sent" });
  expect(inversions(harness.deliveries())).toEqual([]);
}, 60_000);
