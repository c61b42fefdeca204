import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { distinct, insertEvents, inversions } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

describe("a relay of a plain outbox over http", () => {
  let harness: RelayHarness;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness.close());

  test("publishes existing and new messages in order per aggregate, and marks them", async () => {
    await insertEvents(harness.pool, { count: 500, aggregates: 7 });
    await harness.start();
    await harness.waitUntilSent();
    await insertEvents(harness.pool, { count: 70, aggregates: 7, from: 100 });
    await harness.waitUntilSent();
    expect(harness.receiver.requests).toHaveLength(570);
    expect(distinct(harness.deliveries())).toBe(570);
    expect(inversions(harness.deliveries())).toEqual([]);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.claim")).toBe(0);
  });

  test("sends the stored payload, and describes it in headers", async () => {
    await harness.pool.query("ALTER TABLE outbox_events ALTER payload TYPE json");
    const payload = '{ "big": 9007199254740993, "price": 1.10, "b": "ü€😀", "a": null }';
    const inserted = await harness.pool.query(
      `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, headers)
       VALUES ('order', 'ä 1', 'order.placed', $1, '{"traceparent": "00-1", "content-length": "1", "authorization": "x"}') RETURNING id`,
      [payload],
    );
    await harness.start();
    const [request] = await harness.receiver.waitForRequests(1);
    expect(request?.body.toString("utf8")).toBe(payload);
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": inserted.rows[0].id,
      event_id: inserted.rows[0].id,
      "event-type": "order.placed",
      "aggregate-type": "order",
      "aggregate-id": "%C3%A4 1",
      traceparent: "00-1",
      "content-length": String(Buffer.byteLength(payload)),
    });
    expect(request?.headers.authorization).toBeUndefined();
    expect(request?.headers["event-created-at"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  });

  test("reports its work in its heartbeat, and its stop", async () => {
    await insertEvents(harness.pool, { count: 20, aggregates: 4 });
    await harness.start();
    await harness.waitUntilSent();
    await waitFor(async () => (await harness.scalar("SELECT published FROM outbox_console.relay_instance")) === "20", {
      message: "the heartbeat counts 20",
    });
    expect(await harness.scalar("SELECT state FROM outbox_console.relay_instance")).toBe("owner");
    const counted = await harness.scalar(
      "SELECT (SELECT sum(b)::int FROM unnest(latency) b) FROM outbox_console.relay_instance",
    );
    expect(counted).toBe(20);
    await harness.stop();
    expect(await harness.scalar("SELECT state FROM outbox_console.relay_instance")).toBe("stopped");
    expect(await harness.scalar("SELECT until <= clock_timestamp() FROM outbox_console.lease")).toBe(true);
  });

  test("obeys a pause within 2 s, and resumes when it ends", async () => {
    await harness.start();
    await harness.pool.query("INSERT INTO outbox_console.pause (outbox, reason, by) VALUES ('orders', 'test', 'me')");
    await waitFor(async () => (await harness.scalar("SELECT state FROM outbox_console.relay_instance")) === "paused", {
      message: "the relay is paused",
    });
    await insertEvents(harness.pool, { count: 5 });
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.claim")).toBe(0);
    expect(harness.receiver.requests).toHaveLength(0);
    await harness.pool.query("DELETE FROM outbox_console.pause");
    await harness.waitUntilSent();
    expect(harness.receiver.requests).toHaveLength(5);
  });

  test("stays idle while another relay publishes the table, unless forced", async () => {
    await insertEvents(harness.pool, { count: 2 });
    await harness.pool.query("UPDATE outbox_events SET published_at = now() WHERE seq = 1");
    await harness.start();
    await waitFor(async () => (await harness.scalar("SELECT state FROM outbox_console.relay_instance")) === "holding", {
      message: "the relay holds",
    });
    expect(await harness.scalar("SELECT last_error FROM outbox_console.relay_instance")).toContain(
      "it may be another relay",
    );
    expect(harness.receiver.requests).toHaveLength(0);
    await harness.stop();
    await harness.start({ relay: ["force: true"] });
    await harness.waitUntilSent();
    expect(harness.receiver.requests).toHaveLength(1);
  });
});
