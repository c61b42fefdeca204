import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PARTITIONS } from "#domain/relay/partitions.ts";
import { longerTest } from "#tests/longer-test.ts";
import { waitFor } from "#tests/wait-for.ts";
import { distinct, insertEvents, inversions } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";
import { relayProcesses } from "../../testing/relay-processes.fixture.ts";

describe("several relays of one outbox", { timeout: 300_000 }, () => {
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

  const owners = () => harness.scalar("SELECT count(*)::int FROM outbox_console.relay_instance WHERE state = 'owner'");
  const live = (what: string) =>
    harness.scalar(`SELECT ${what}::int FROM outbox_console.lease WHERE until > clock_timestamp()`);
  const untilOwners = (count: number, message: string) =>
    waitFor(async () => (await owners()) === count, { timeoutMs: 150_000, message });

  test("kill -9 between publish and settle: delivered again, nothing lost, no inversion; the other takes over", async () => {
    await insertEvents(harness.pool, { count: 2000, aggregates: 40 });
    harness.receiver.answerWith({ status: 204, delayMs: 5 });
    const first = await spawnRelay();
    await untilOwners(1, "the first owns");
    await spawnRelay();
    await untilOwners(2, "the second has its share");
    await harness.receiver.waitForRequests(1);
    await insertEvents(harness.pool, { count: 2000, aggregates: 40, from: 50 });
    await harness.receiver.waitForRequests(harness.receiver.requests.length + 200);
    first.kill("SIGKILL");
    await first.exited;
    await harness.waitUntilSent(150_000);
    expect(distinct(harness.deliveries())).toBe(4000);
    expect(inversions(harness.deliveries())).toEqual([]);
    await waitFor(async () => (await live("count(*)")) === PARTITIONS && (await live("count(DISTINCT owner)")) === 1, {
      message: "the second owns all",
    });
  });

  test("a stopping relay hands over long before its lease would expire", async () => {
    const lease = ["lease: 10m"];
    const first = await spawnRelay(lease);
    await untilOwners(1, "the first owns");
    await spawnRelay(lease);
    await untilOwners(2, "the second has its share");
    first.kill("SIGTERM");
    await insertEvents(harness.pool, { count: 10, aggregates: 10 });
    await harness.waitUntilSent(150_000);
    await first.exited;
    expect(first.child.exitCode).toBe(0);
    expect(harness.receiver.requests).toHaveLength(10);
  });

  test("a relay that dies as the database's clock is set back is succeeded", async () => {
    const first = await spawnRelay(["lease: 2s"]);
    await untilOwners(1, "the first owns");
    await spawnRelay(["lease: 2s"]);
    await untilOwners(2, "the second has its share");
    first.kill("SIGKILL");
    await first.exited;
    // The dead relay's rows look as after a clock that was set back; the living one rewrites its own.
    const name = await harness.scalar(`SELECT id FROM outbox_console.relay_instance WHERE pid = ${first.child.pid}`);
    await harness.pool.query(
      "UPDATE outbox_console.lease SET until = clock_timestamp() + interval '1 hour' WHERE owner = $1",
      [name],
    );
    await harness.pool.query(
      "UPDATE outbox_console.relay_instance SET heartbeat_at = heartbeat_at + interval '1 hour' WHERE id = $1",
      [name],
    );
    await insertEvents(harness.pool, { count: 200, aggregates: 40 });
    await harness.waitUntilSent(20_000);
    expect(inversions(harness.deliveries())).toEqual([]);
    await waitFor(async () => (await live("count(DISTINCT owner)")) === 1, { message: "the second owns all" });
  });

  longerTest("an owner that was frozen past its lease can neither mark nor publish", async () => {
    harness.receiver.answerWith({ status: 204, delayMs: 20 });
    await insertEvents(harness.pool, { count: 1500, aggregates: 30 });
    const zombie = await spawnRelay(["lease: 2s"]);
    await harness.receiver.waitForRequests(200);
    zombie.kill("SIGSTOP");
    await spawnRelay(["lease: 2s"]);
    await waitFor(async () => Number(await harness.scalar("SELECT min(epoch) FROM outbox_console.lease")) > 1, {
      message: "the second took over",
    });
    const leftByZombie = "SELECT count(*)::int FROM outbox_console.claim WHERE epoch = 1";
    expect(await harness.scalar(leftByZombie)).toBe(0);
    zombie.kill("SIGCONT");
    await harness.waitUntilSent(150_000);
    // However it noticed the end of its term, it begins another only afterwards.
    await waitFor(async () => (await live("count(DISTINCT owner)")) === 2, { message: "the zombie has a share again" });
    expect(distinct(harness.deliveries())).toBe(1500);
    expect(inversions(harness.deliveries())).toEqual([]);
    await insertEvents(harness.pool, { count: 30, aggregates: 30, from: 50 });
    await harness.waitUntilSent();
    expect(inversions(harness.deliveries())).toEqual([]);
  });
});
