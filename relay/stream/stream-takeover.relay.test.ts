import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { distinct, insertEvents, inversions } from "../testing/outbox.fixture.ts";
import { relayProcesses } from "../testing/relay-processes.fixture.ts";
import {
  cdcLine,
  confirmedBeyond,
  currentLsn,
  openStreamHarness,
  type StreamHarness,
  waitUntilConnected,
} from "../testing/stream.fixture.ts";

describe.each(["column", "none"])("relays in processes, mark: %s", { timeout: 180_000 }, (mark) => {
  let harness: StreamHarness;
  let slot: string;
  const relays = relayProcesses(() => harness);
  beforeEach(async () => {
    harness = await openStreamHarness();
    slot = harness.slot;
  });
  afterEach(async () => {
    await relays.killAll();
    await harness.close();
  });

  const spawnRelay = () => relays.spawn(["source: cdc", cdcLine(slot, mark), "lease: 2s"]);
  const waitUntilDelivered = (count: number) =>
    waitFor(() => distinct(harness.deliveries()) >= count, { timeoutMs: 150_000, message: `${count} were delivered` });

  test("kill -9 loses and reorders nothing; a standby takes over the slot", async () => {
    harness.receiver.answerWith({ status: 204, delayMs: 5 });
    const first = await spawnRelay();
    await waitUntilConnected(harness);
    await spawnRelay();
    await waitFor(
      async () =>
        (await harness.scalar("SELECT count(*)::int FROM outbox_console.relay_instance WHERE state = 'standby'")) === 1,
      { message: "the second stands by" },
    );
    for (let from = 0; from < 20; from += 1) await insertEvents(harness.pool, { count: 40, aggregates: 40, from });
    await harness.receiver.waitForRequests(200);
    first.kill("SIGKILL");
    await first.exited;
    for (let from = 20; from < 30; from += 1) await insertEvents(harness.pool, { count: 40, aggregates: 40, from });
    await waitUntilDelivered(1200);
    expect(inversions(harness.deliveries())).toEqual([]);
    const lsn = await currentLsn(harness);
    await waitFor(() => confirmedBeyond(harness, slot, lsn), { message: "all is confirmed" });
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.delivery")).toBe(0);
  });
});
