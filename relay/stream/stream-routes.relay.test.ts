import { afterEach, beforeEach, expect, test } from "vitest";
import { variants } from "#tests/test-depth.ts";
import { waitFor } from "#tests/wait-for.ts";
import { distinct, inversions } from "../testing/outbox.fixture.ts";
import { cdcLine, openStreamHarness, type StreamHarness, waitUntilConnected } from "../testing/stream.fixture.ts";

const BROKEN = "invoice.rendered";

let harness: StreamHarness;
beforeEach(async () => {
  harness = await openStreamHarness();
});
afterEach(() => harness.close());

const insert = (input: { count: number; aggregates: number; types: string[]; prefix?: string }) =>
  harness.pool.query(
    `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload)
     SELECT 'order', $4 || (i % $2), ($3::text[])[1 + (i / $2) % cardinality($3::text[])], jsonb_build_object('aggregate', $4 || (i % $2), 'n', i / $2)
     FROM generate_series(0, $1 - 1) i ORDER BY i`,
    [input.count, input.aggregates, input.types, input.prefix ?? "a"],
  );

test.each(variants(["column"], ["delete", "none"]))(
  "by log with mark: %s a broken event type waits, others flow, and all is sent in order once it works",
  async (mark) => {
    await harness.start({ relay: ["source: cdc", cdcLine(harness.slot, mark), "maxAttempts: 3"] });
    await waitUntilConnected(harness);
    const sent = new Set<string>();
    let broken = true;
    harness.receiver.answerWith((request) => {
      if (broken && request.headers["event-type"] === BROKEN) return { status: 500 };
      const { aggregate, n } = JSON.parse(request.body.toString("utf8"));
      sent.add(`${aggregate}/${n}`);
      return { status: 204 };
    });
    await insert({ count: 20, aggregates: 5, types: ["order.paid", BROKEN, "order.shipped", BROKEN] });
    await insert({ count: 5, aggregates: 5, types: ["order.paid"], prefix: "fine" });
    await waitFor(
      async () => {
        await insert({ count: 1, aggregates: 1, types: ["order.paid"], prefix: `later${sent.size}-` });
        return (await harness.scalar("SELECT routes->0->>'name' FROM outbox_console.relay_instance")) === BROKEN;
      },
      { intervalMs: 100, message: "the route is at fault" },
    );
    const before = sent.size;
    await insert({ count: 30, aggregates: 10, types: ["order.paid"], prefix: "flowing" });
    await waitFor(() => sent.size >= before + 30, { message: "others flow" });
    expect([...sent].filter((name) => /^a\d\/[123]/.test(name))).toEqual([]);
    // Attempts counted before the route was found at fault are refunded.
    const failures = "SELECT count(*)::int FROM outbox_console.attempt WHERE outcome IN ('failed', 'dead')";
    await waitFor(async () => (await harness.scalar(failures)) === 0, { message: "no failure is counted" });
    broken = false;
    await waitFor(() => [...sent].filter((name) => /^a\d\//.test(name)).length === 20, {
      timeoutMs: 30_000,
      message: "all are sent",
    });
    expect(inversions(harness.deliveries())).toEqual([]);
    expect(distinct(harness.deliveries())).toBe(sent.size);
  },
);
