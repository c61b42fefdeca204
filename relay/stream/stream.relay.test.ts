import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { distinct, insertEvents, inversions } from "../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../testing/relay-harness.fixture.ts";
import { confirmedBeyond, createStream, currentLsn, dropSlot, waitUntilConnected } from "../testing/stream.fixture.ts";

describe("a relay that notices messages in the log", { timeout: 60_000 }, () => {
  let harness: RelayHarness;
  let slot: string;
  let relay: string[];
  beforeEach(async () => {
    harness = await openHarness();
    ({ slot, relay } = await createStream(harness.pool));
  });
  afterEach(async () => {
    await harness.stop();
    await dropSlot(harness.pool, slot);
    await harness.close();
  });

  test("publishes what is there and what comes, in order per aggregate, marks it and confirms it", async () => {
    await insertEvents(harness.pool, { count: 500, aggregates: 7 });
    await harness.start({ relay });
    await harness.waitUntilSent();
    await waitUntilConnected(harness);
    for (let from = 100; from < 150; from += 1) await insertEvents(harness.pool, { count: 7, aggregates: 7, from });
    await harness.waitUntilSent();
    expect(harness.receiver.requests).toHaveLength(850);
    expect(distinct(harness.deliveries())).toBe(850);
    expect(inversions(harness.deliveries())).toEqual([]);
    const lsn = await currentLsn(harness);
    await waitFor(() => confirmedBeyond(harness, slot, lsn), { message: "all is confirmed" });
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.claim")).toBe(0);
  });
});
