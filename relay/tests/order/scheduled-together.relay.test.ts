import { afterEach, beforeEach, expect, test } from "vitest";
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
