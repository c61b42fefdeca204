import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents, inversions } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

const INSERT = `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload)
  VALUES ('order', $1, 'order.changed', jsonb_build_object('aggregate', $1::text, 'n', $2::int))`;

describe("rows that are committed late", () => {
  let harness: RelayHarness;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness.close());

  const received = (aggregate: string) =>
    harness
      .deliveries()
      .filter((delivery) => delivery.aggregate === aggregate)
      .map(({ n }) => n);

  test("a row of a slow transaction goes out before its aggregate's later row", async () => {
    await harness.start();
    const slow = await harness.pool.connect();
    await slow.query("BEGIN");
    await slow.query(INSERT, ["slow", 1]);
    await insertEvents(harness.pool, { count: 200, aggregates: 20 });
    await harness.receiver.waitForRequests(200);
    // Everything around it was published, and the relay has read far past the slow row's position.
    await waitFor(async () => (await harness.scalar("SELECT count(*)::int FROM outbox_console.claim")) === 0, {
      message: "all is settled",
    });
    await slow.query(INSERT, ["slow", 2]);
    await slow.query("COMMIT");
    slow.release();
    await harness.pool.query(INSERT, ["slow", 3]);
    await harness.waitUntilSent();
    expect(received("slow")).toEqual([1, 2, 3]);
    expect(inversions(harness.deliveries())).toEqual([]);
  });

  test("a row committed after a later one was published is published and counted", async () => {
    await harness.start();
    const slow = await harness.pool.connect();
    await slow.query("BEGIN");
    await slow.query(INSERT, ["late", 1]);
    await harness.pool.query(INSERT, ["late", 2]);
    await insertEvents(harness.pool, { count: 20, aggregates: 5 });
    await harness.receiver.waitForRequests(21);
    await slow.query("COMMIT");
    slow.release();
    await harness.waitUntilSent();
    expect(received("late")).toEqual([2, 1]);
    await waitFor(
      async () => (await harness.scalar("SELECT late_commits FROM outbox_console.relay_instance")) === "1",
      { message: "the late commit is counted" },
    );
  });

  test("messages whose claim a server crash lost are published again, and not counted as late", async () => {
    await insertEvents(harness.pool, { count: 20 });
    harness.receiver.answerWith({ status: 204, delayMs: 50 });
    await harness.start();
    await harness.receiver.waitForRequests(1);
    // Claims commit asynchronously, so a server that crashes right away loses them.
    const crash = await harness.pool.connect();
    await crash.query("BEGIN");
    await crash.query("DELETE FROM outbox_console.claim");
    await harness.receiver.waitForRequests(3);
    await crash.query("COMMIT");
    crash.release();
    await harness.waitUntilSent();
    expect(harness.receiver.requests.length).toBeGreaterThan(20);
    await waitFor(async () => (await harness.scalar("SELECT published FROM outbox_console.relay_instance")) === "20", {
      message: "all are counted as published",
    });
    expect(await harness.scalar("SELECT late_commits FROM outbox_console.relay_instance")).toBe("0");
  });

  test("with many writers that commit out of order nothing is lost and no aggregate is inverted", async () => {
    await harness.start();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 40; n += 1) {
        const client = await harness.pool.connect();
        await client.query("BEGIN");
        await client.query(INSERT, [`writer${writer}`, n]);
        await client.query("SELECT pg_sleep($1)", [((n * 7 + writer * 3) % 10) / 1000]);
        await client.query("COMMIT");
        client.release();
      }
    });
    await Promise.all(writers);
    await harness.waitUntilSent();
    expect(harness.receiver.requests).toHaveLength(320);
    expect(inversions(harness.deliveries())).toEqual([]);
    await waitFor(async () => (await harness.scalar("SELECT published FROM outbox_console.relay_instance")) === "320", {
      message: "the heartbeat counts all",
    });
    expect(await harness.scalar("SELECT late_commits::int FROM outbox_console.relay_instance")).toBe(0);
  });

  test.each([
    ["", "now()"],
    [" of a transaction that waited for it", "now() - interval '1 minute'"],
  ])("a row committed late behind a backlog is published before its aggregate's next row%s", async (_, createdAt) => {
    const slow = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const client = await harness.pool.connect();
        await client.query("BEGIN");
        await client.query(INSERT, [`slow${n}`, 1]);
        return client;
      }),
    );
    const backlog = 4000;
    await harness.pool.query(`INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, created_at)
      SELECT 'order', 'old' || i % 200, 'order.changed', jsonb_build_object('aggregate', 'old' || i % 200, 'n', i / 200),
        now() - interval '1 hour' FROM generate_series(0, ${backlog - 1}) i`);
    await harness.start({ relay: ["batchSize: 100"] });
    for (const [n, client] of slow.entries()) {
      await harness.receiver.waitForRequests(((n + 1) * backlog) / 10);
      await client.query("COMMIT");
      client.release();
      await harness.pool.query(INSERT.replace(/payload\)/, "payload, created_at)").replace(/\)$/, `, ${createdAt})`), [
        `slow${n}`,
        2,
      ]);
    }
    await harness.waitUntilSent();
    expect(inversions(harness.deliveries())).toEqual([]);
  });
});
