import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listRelays } from "#services/relays/list-relays.ts";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents } from "../../testing/outbox.fixture.ts";
import { openRuntimeHarness, type RuntimeHarness } from "../../testing/runtime-harness.fixture.ts";

describe("a foreign relay that starts while ours publishes", () => {
  let harness: RuntimeHarness;
  let writing: NodeJS.Timeout | undefined;
  beforeEach(async () => {
    harness = await openRuntimeHarness();
  });
  afterEach(async () => {
    clearInterval(writing);
    await harness.close();
  });

  const relay = async () => (await listRelays({ runtime: harness.runtime })).relays[0];
  const owner = () => waitFor(async () => (await relay())?.state === "owner", { message: "it owns the outbox" });

  const publishes = (count: number) =>
    waitFor(
      async () =>
        Number(await harness.scalar("SELECT sum(published) FROM outbox_console.relay_instance")) >= 3000 + count,
      { timeoutMs: 150_000, message: `${count} more are published` },
    );

  test("is noticed by published rows that were never claimed here; publishing goes on", async () => {
    await harness.start();
    await owner();
    let n = 0;
    writing = setInterval(() => {
      n += 1;
      void insertEvents(harness.pool, { count: 4, aggregates: 4, from: n });
      // Simulates another relay: its rows are inserted and marked in the same transaction.
      void harness.pool.query(
        `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, published_at)
         SELECT 'order', 'theirs' || i, 'order.changed', '{"aggregate": "theirs", "n": 0}', clock_timestamp() FROM generate_series(1, 20) i`,
      );
    }, 50);
    const seen = await waitFor(
      async () => {
        const said = await relay();
        return said && said.foreignUnclaimed > 0 ? said : null;
      },
      { message: "the other relay is seen" },
    );
    expect(seen.foreignPublished).toBe(0);
    expect(seen.lastError).toMatch(/^Something else marks messages of this table as published: \d+ of \d+ that/);
    expect(Date.parse(seen.foreignSince ?? "")).toBeLessThanOrEqual(Date.parse(seen.foreignLastAt ?? ""));
    expect(seen.state).toBe("owner");
    const before = harness.receiver.requests.length;
    await harness.receiver.waitForRequests(before + 50);
  });

  test("a statement that marks what waits for a sink is noticed: nobody has sent it", async () => {
    harness.receiver.answerWith({ status: 503 });
    await harness.start();
    await owner();
    // Marks of a term's first second may be those of the owner before it.
    await waitFor(
      () =>
        harness.scalar(
          "SELECT clock_timestamp() > min(started_at) + interval '4 s' FROM outbox_console.relay_instance",
        ),
      {
        message: "the term has lasted for seconds",
      },
    );
    await harness.pool.query(`INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload)
      SELECT 'order', 'o' || i, 'order.changed', '{}' FROM generate_series(1, 30) i`);
    await harness.pool.query("UPDATE outbox_events SET published_at = clock_timestamp() WHERE published_at IS NULL");
    await waitFor(async () => ((await relay())?.foreignUnclaimed ?? 0) > 0, {
      timeoutMs: 60_000,
      message: "the marks are noticed",
    });
    const said = await relay();
    expect((said?.foreignUnclaimed ?? 0) + (said?.foreignPublished ?? 0)).toBe(30);
  });

  test("is noticed when claimed messages turn out to be published at settlement", async () => {
    harness.receiver.answerWith({ status: 204, delayMs: 1500 });
    await harness.start();
    await owner();
    await insertEvents(harness.pool, { count: 5, aggregates: 5 });
    await harness.receiver.waitForRequests(5);
    await harness.pool.query("UPDATE outbox_events SET published_at = clock_timestamp()");
    await waitFor(async () => (await relay())?.foreignPublished === 5, { message: "it is counted" });
    expect((await relay())?.foreignLastAt).not.toBeNull();
  });

  test("our own publishing, a handover and a drain are never mistaken for one", async () => {
    await insertEvents(harness.pool, { count: 3000, aggregates: 50 });
    await harness.start();
    await harness.waitUntilSent(30_000);
    writing = setInterval(() => void insertEvents(harness.pool, { count: 20, aggregates: 20, prefix: "b" }), 25);
    // Long enough for several checks, before and after the handover.
    await publishes(6000);
    await harness.stop();
    await harness.start();
    await owner();
    await publishes(12_000);
    const { rows } = await harness.pool.query(
      "SELECT sum(foreign_published)::int AS claimed, sum(foreign_unclaimed)::int AS seen FROM outbox_console.relay_instance",
    );
    expect(rows[0]).toEqual({ claimed: 0, seen: 0 });
  });

  test("rows locked by another session: the relay reports that a settle waits, and since when", async () => {
    harness.receiver.answerWith({ status: 204, delayMs: 500 });
    await harness.start();
    await owner();
    await insertEvents(harness.pool, { count: 3, aggregates: 3 });
    await harness.receiver.waitForRequests(3);
    const holder = await harness.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT FROM outbox_events FOR UPDATE");
      const said = await waitFor(
        async () => {
          const one = await relay();
          return one?.settlingSince && one.lastError?.includes("another session") ? one : null;
        },
        { message: "the relay says what it waits for" },
      );
      const { rows } = await holder.query("SELECT transaction_timestamp() AS at");
      expect(Date.parse(said.settlingSince ?? "")).toBeGreaterThanOrEqual(rows[0].at.getTime());
      await waitFor(async () => Date.now() - Date.parse((await relay())?.settlingSince ?? "") > 6000, {
        message: "it goes on being since then",
      });
    } finally {
      await holder.query("ROLLBACK");
      holder.release();
    }
    await harness.waitUntilSent();
    await waitFor(async () => (await relay())?.settlingSince === null, { message: "nothing waits any more" });
  });
});
