import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ReceivedRequest } from "#tests/http-receiver.ts";
import { type Delivery, distinct, insertEvents, inversions } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

const eventsOf = ({ body }: ReceivedRequest): Delivery[] =>
  JSON.parse(body.toString("utf8")).map(({ payload }: { payload: Delivery }) => payload);

describe("a relay that sends batches over http", () => {
  let harness: RelayHarness;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness.close());

  test("keeps the order of each aggregate through failures, and only the event at fault is dead", async () => {
    await insertEvents(harness.pool, { count: 400, aggregates: 8 });
    const confirmed: Delivery[] = [];
    let troubles = 0;
    harness.receiver.answerWith((request) => {
      const events = eventsOf(request);
      if (events.some(({ aggregate, n }) => aggregate === "a3" && n === 7))
        return { status: 422, body: "no such order" };
      if (events.some(({ aggregate, n }) => aggregate === "a5" && n === 9) && troubles < 4) {
        troubles += 1;
        return { status: 500, body: "trouble" };
      }
      confirmed.push(...events);
      return { status: 204 };
    });
    await harness.start({ sinkSettings: ["batch: 50"] });
    await harness.waitUntilSent();
    expect(distinct(confirmed)).toBe(399);
    expect(inversions(confirmed)).toEqual([]);
    expect(harness.receiver.requests.length).toBeLessThan(300);
    const { rows } = await harness.pool.query(
      "SELECT image->'payload'->>'n' AS n, attempts, last_error FROM outbox_console.dead_letter",
    );
    expect(rows).toEqual([{ n: "7", attempts: 1, last_error: "HTTP 422: no such order" }]);
  });

  test("uses up no attempt while the receiver is down, and sends everything afterwards", async () => {
    await insertEvents(harness.pool, { count: 100, aggregates: 10 });
    harness.receiver.answerWith({ status: 503 });
    await harness.start({ relay: ["maxAttempts: 2"], sinkSettings: ["batch: 50"] });
    await harness.receiver.waitForRequests(3);
    const refused = harness.receiver.requests.length;
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent();
    const delivered = harness.receiver.requests.slice(refused).flatMap(eventsOf);
    expect(distinct(delivered)).toBe(100);
    expect(inversions(delivered)).toEqual([]);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.attempt")).toBe(0);
  });
});

describe("Retry-After of an http receiver", () => {
  let harness: RelayHarness;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness.close());

  test("with 500 the message waits that long", async () => {
    await insertEvents(harness.pool, { count: 1 });
    harness.receiver.answerWith({ status: 500, headers: { "retry-after": "60" } });
    await harness.start();
    await harness.receiver.waitForRequests(1);
    const waits = "SELECT extract(epoch FROM next_attempt_at - now())::int FROM outbox_console.delivery";
    await expect.poll(() => harness.scalar(waits)).toBeGreaterThan(50);
  });

  test.each([429, 503])("with %i the breaker waits that long", async (status) => {
    await insertEvents(harness.pool, { count: 1 });
    harness.receiver.answerWith({ status, headers: { "retry-after": "60" } });
    await harness.start();
    const waits =
      "SELECT extract(epoch FROM (breaker->>'nextProbeAt')::timestamptz - now())::int FROM outbox_console.relay_instance";
    await expect.poll(() => harness.scalar(waits)).toBeGreaterThan(50);
    expect(harness.receiver.requests).toHaveLength(1);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.attempt")).toBe(0);
  });
});
