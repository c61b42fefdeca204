import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { distinct, insertEvents, inversions } from "./testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "./testing/relay-harness.fixture.ts";
import { relayProcesses } from "./testing/relay-processes.fixture.ts";

describe("several relays of one outbox", { timeout: 120_000 }, () => {
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

  test("kill -9 between publish and settle: delivered again, nothing lost, no inversion; the other takes over", async () => {
    await insertEvents(harness.pool, { count: 2000, aggregates: 40 });
    harness.receiver.answerWith({ status: 204, delayMs: 5 });
    const first = await spawnRelay();
    await waitFor(async () => (await owners()) === 1, { timeoutMs: 30_000, message: "the first owns" });
    const second = await spawnRelay();
    await waitFor(async () => (await owners()) === 2, { timeoutMs: 30_000, message: "the second has its share" });
    expect(harness.receiver.requests.length).toBeGreaterThan(0);
    await insertEvents(harness.pool, { count: 2000, aggregates: 40, from: 50 });
    await harness.receiver.waitForRequests(harness.receiver.requests.length + 200, 15_000);
    first.kill("SIGKILL");
    await first.exited;
    await harness.waitUntilSent(30_000);
    expect(distinct(harness.deliveries())).toBe(4000);
    expect(inversions(harness.deliveries())).toEqual([]);
    expect(second.log()).toContain("owns the outbox");
  });

  test("a relay that is asked to stop hands over long before its lease would end", async () => {
    const lease = ["lease: 10m"];
    const first = await spawnRelay(lease);
    await waitFor(async () => (await owners()) === 1, { timeoutMs: 30_000, message: "the first owns" });
    await spawnRelay(lease);
    await waitFor(async () => (await owners()) === 2, { timeoutMs: 30_000, message: "the second has its share" });
    first.kill("SIGTERM");
    await insertEvents(harness.pool, { count: 10, aggregates: 10 });
    await harness.waitUntilSent(30_000);
    await first.exited;
    expect(first.child.exitCode).toBe(0);
    expect(harness.receiver.requests).toHaveLength(10);
  });

  test("an owner that was frozen past its lease cannot mark, and publishes nothing more", async () => {
    harness.receiver.answerWith({ status: 204, delayMs: 20 });
    await insertEvents(harness.pool, { count: 1500, aggregates: 30 });
    const zombie = await spawnRelay(["lease: 2s"]);
    await harness.receiver.waitForRequests(200, 15_000);
    zombie.kill("SIGSTOP");
    await spawnRelay(["lease: 2s"]);
    await waitFor(async () => (await harness.scalar("SELECT min(epoch)::int FROM outbox_console.lease")) === 2, {
      timeoutMs: 15_000,
      message: "the second took over",
    });
    const markedByZombie = "SELECT count(*)::int FROM outbox_console.claim WHERE epoch = 1";
    expect(await harness.scalar(markedByZombie)).toBe(0);
    zombie.kill("SIGCONT");
    await harness.waitUntilSent(30_000);
    // Its renewal is refused, or a heartbeat that came back first shows a share that is free: both end its term.
    await waitFor(() => /taken over|shared out anew/.test(zombie.log()), { message: "the zombie noticed" });
    expect(distinct(harness.deliveries())).toBe(1500);
    expect(inversions(harness.deliveries())).toEqual([]);
    await insertEvents(harness.pool, { count: 30, aggregates: 30, from: 50 });
    await harness.waitUntilSent(10_000);
    expect(inversions(harness.deliveries())).toEqual([]);
  });
});
