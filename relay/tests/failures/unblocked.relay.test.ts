import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { insertEvents } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

describe("an aggregate that was blocked", () => {
  let harness: RelayHarness;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness.close());

  test("goes on with its first unsent message, even if a later one had blocked it", async () => {
    const { pool } = harness;
    await insertEvents(pool, { count: 2, prefix: "held", from: 1 });
    await insertEvents(pool, { count: 400, aggregates: 400, prefix: "x" });
    await insertEvents(pool, { count: 1, prefix: "held", from: 3 });
    await insertEvents(pool, { count: 400, aggregates: 400, prefix: "y" });
    await insertEvents(pool, { count: 1, prefix: "held", from: 4 });
    await insertEvents(pool, { count: 400, aggregates: 400, prefix: "z" });
    // Committed long ago, so that the backlog is read page by page.
    await pool.query("UPDATE outbox_events SET created_at = now() - interval '1 hour'");
    await pool.query(
      `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, order_key, attempts, next_attempt_at)
       SELECT 'orders', id::text, 'order/held0', ARRAY[seq::text, id::text], 0, now()
       FROM outbox_events WHERE aggregate_id = 'held0' AND payload->>'n' = '3'`,
    );
    const retried = JSON.stringify({ n: 3, aggregate: "held0" });
    harness.receiver.answerWith(({ body }) => {
      const { n, aggregate } = JSON.parse(body.toString("utf8"));
      return { status: 204, delayMs: JSON.stringify({ n, aggregate }) === retried ? 400 : 0 };
    });
    await harness.start({ relay: ["batchSize: 10"] });
    await harness.waitUntilSent();
    const held = harness.deliveries().filter(({ aggregate }) => aggregate === "held0");
    expect(held.map(({ n }) => n)).toEqual([3, 1, 2, 4]);
    expect(await harness.scalar("SELECT late_commits FROM outbox_console.relay_instance")).toBe("0");
  });
});
