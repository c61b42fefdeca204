import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { longerTest } from "#tests/longer-test.ts";
import { waitFor } from "#tests/wait-for.ts";
import { distinct, insertEvents, inversions } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";
import { relayProcesses } from "../../testing/relay-processes.fixture.ts";
import { startWriters } from "../../testing/writers.fixture.ts";

describe("relays that share an outbox", { timeout: 300_000 }, () => {
  let harness: RelayHarness;
  const relays = relayProcesses(() => harness);
  const spawnRelay = relays.spawn;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(async () => {
    await relays.killAll();
    await harness.close();
  });

  const shares = async () => {
    const { rows } = await harness.pool.query(
      "SELECT count(*)::int AS n FROM outbox_console.lease WHERE until > clock_timestamp() GROUP BY owner ORDER BY 1 DESC",
    );
    return rows.map((row) => Number(row.n)).join(" ");
  };
  const untilShared = (expected: string) =>
    waitFor(async () => (await shares()) === expected, { timeoutMs: 150_000, message: `shared ${expected}` });

  test("two to four relays, one leaves, one is killed: all publish, nothing is lost or out of order", async () => {
    const writers = startWriters(harness.pool, { writers: 3, aggregates: 60, pauseMs: 15 });
    await spawnRelay();
    await untilShared("32");
    await spawnRelay();
    await untilShared("16 16");
    const [third, fourth] = [await spawnRelay(), await spawnRelay()];
    await untilShared("8 8 8 8");
    await harness.receiver.waitForRequests(harness.receiver.requests.length + 300);
    // A relay that is killed leaves its row as it was at its last heartbeat.
    const published = "SELECT count(*)::int FROM outbox_console.relay_instance WHERE published > 0";
    await waitFor(async () => (await harness.scalar(published)) === 4, { message: "each has published" });
    fourth.kill("SIGTERM");
    await untilShared("11 11 10");
    third.kill("SIGKILL");
    await untilShared("16 16");
    await harness.receiver.waitForRequests(harness.receiver.requests.length + 200);
    const committed = await writers.stop();
    await harness.waitUntilSent(150_000);
    expect(distinct(harness.deliveries())).toBe(committed);
    expect(inversions(harness.deliveries())).toEqual([]);
    expect(await harness.scalar("SELECT sum(late_commits)::int FROM outbox_console.relay_instance")).toBe(0);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.claim")).toBe(0);
  });

  test("one that is frozen loses its partitions, and publishes and marks nothing after it wakes up", async () => {
    harness.receiver.answerWith({ status: 204, delayMs: 20 });
    const zombie = await spawnRelay(["lease: 2s"]);
    await spawnRelay(["lease: 2s"]);
    await untilShared("16 16");
    await insertEvents(harness.pool, { count: 3000, aggregates: 30 });
    await harness.receiver.waitForRequests(200);
    zombie.kill("SIGSTOP");
    await untilShared("32");
    const ownedBy = "SELECT owner FROM outbox_console.lease WHERE until > clock_timestamp() LIMIT 1";
    const owner = await harness.scalar(ownedBy);
    const leftover = `SELECT count(*)::int FROM outbox_console.claim WHERE owner <> '${owner}'`;
    expect(await harness.scalar(leftover)).toBe(0);
    zombie.kill("SIGCONT");
    await harness.waitUntilSent(150_000);
    // However it noticed the end of its term, it begins another only afterwards.
    await untilShared("16 16");
    await insertEvents(harness.pool, { count: 300, aggregates: 30, from: 200 });
    await harness.waitUntilSent();
    expect(distinct(harness.deliveries())).toBe(3300);
    expect(inversions(harness.deliveries())).toEqual([]);
  });

  test("one that differs in its order waits for the one that runs, and begins when that stops", async () => {
    const first = await spawnRelay();
    await untilShared("32");
    const second = await spawnRelay(["ordering: none"]);
    const state = ({ child }: typeof first) =>
      harness.scalar(`SELECT state FROM outbox_console.relay_instance WHERE pid = ${child.pid}`);
    await waitFor(async () => (await state(second)) === "holding", { message: "the second one waits" });
    await insertEvents(harness.pool, { count: 300, aggregates: 30 });
    await harness.waitUntilSent();
    expect(await shares()).toBe("32");
    expect(await state(first)).toBe("owner");
    expect(inversions(harness.deliveries())).toEqual([]);
    first.kill("SIGTERM");
    await waitFor(async () => (await state(second)) === "owner", { message: "the second one begins" });
    await insertEvents(harness.pool, { count: 300, aggregates: 30, from: 300 });
    await harness.waitUntilSent();
    expect(harness.deliveries()).toHaveLength(600);
    expect(distinct(harness.deliveries())).toBe(600);
  });

  test("two that differ in their order and begin at once: one publishes, the other waits", async () => {
    const settings = { relay: ["ordering: none"] };
    await Promise.all([relays.spawnSilent(), relays.spawnSilent(settings), relays.spawnSilent(settings)]);
    const states = "SELECT coalesce(string_agg(state, ' ' ORDER BY state), '') FROM outbox_console.relay_instance";
    const settled = ["holding holding owner", "holding owner owner"];
    await waitFor(async () => settled.includes(String(await harness.scalar(states))), { message: "one sort waits" });
    await insertEvents(harness.pool, { count: 300, aggregates: 30 });
    await harness.waitUntilSent();
    expect(distinct(harness.deliveries())).toBe(300);
  });

  longerTest("an open breaker stays open through a rebalance, and no attempt is used up", async () => {
    harness.receiver.answerWith({ status: 503 });
    await insertEvents(harness.pool, { count: 200, aggregates: 50 });
    await spawnRelay();
    const since = () => harness.scalar("SELECT min(breaker->>'since') FROM outbox_console.relay_instance");
    await waitFor(async () => (await since()) !== null, { message: "the breaker is open" });
    const openedAt = await since();
    await spawnRelay();
    await untilShared("16 16");
    const holding = "SELECT count(*)::int FROM outbox_console.relay_instance WHERE state = 'holding'";
    await waitFor(async () => (await harness.scalar(holding)) === 2, { message: "both hold" });
    expect(await since()).toBe(openedAt);
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent(150_000);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.attempt")).toBe(0);
  });

  longerTest(
    "a failed head blocks its aggregate through a join and a death, and no other aggregate waits",
    async () => {
      harness.receiver.answerWith((request) => (request.body.includes('"n": 0,') ? { status: 500 } : { status: 204 }));
      const settings = ["maxAttempts: 1000"];
      await spawnRelay(settings);
      await untilShared("32");
      await insertEvents(harness.pool, { count: 40, aggregates: 20, prefix: "good", from: 1 });
      await insertEvents(harness.pool, { count: 6, aggregates: 2, prefix: "bad" });
      await harness.receiver.waitForRequests(42);
      const second = await spawnRelay(settings);
      await untilShared("16 16");
      await insertEvents(harness.pool, { count: 40, aggregates: 20, prefix: "good", from: 3 });
      const good = () => harness.deliveries().filter(({ aggregate }) => aggregate.startsWith("good"));
      await waitFor(() => distinct(good()) === 80, { message: "the good go out" });
      second.kill("SIGKILL");
      await untilShared("32");
      expect(harness.deliveries().filter(({ aggregate, n }) => aggregate.startsWith("bad") && n > 0)).toEqual([]);
      harness.receiver.answerWith({ status: 204 });
      await harness.waitUntilSent(150_000);
      expect(distinct(harness.deliveries())).toBe(86);
      expect(inversions(harness.deliveries())).toEqual([]);
    },
  );
});
