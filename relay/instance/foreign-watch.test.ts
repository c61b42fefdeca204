import { pino } from "pino";
import { expect, test } from "vitest";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import { RelayStats } from "../pipeline/state/relay-stats.ts";
import { ForeignWatch } from "./foreign-watch.ts";

const LEASE = { epoch: 1, owner: "a", leaseMs: 6000, partitions: [0] } as unknown as Lease;
const LATER_MS = 60_000;

/** A watch over a table in which someone else has just published one row, while we hold the lease until `untilMs`. */
function watchUntil(untilMs: number) {
  const stats = new RelayStats();
  let reads = 0;
  const watch = new ForeignWatch({
    table: {
      recentlyPublished: async () => {
        reads += 1;
        return ["theirs"];
      },
    },
    lease: LEASE,
    stats,
    log: pino({ level: "silent" }),
    inMemory: () => false,
    ownsUntilMs: () => untilMs,
  });
  return { watch, stats, reads: () => reads };
}

test("a row that we never claimed was published by another relay", async () => {
  const { watch, stats } = watchUntil(Number.POSITIVE_INFINITY);
  watch.tick(performance.now() + LATER_MS);
  await expect.poll(() => stats.foreignUnclaimed).toBe(1);
});

test("after a freeze the lease has expired: another instance of ours may have published, and nothing is said", async () => {
  const nowMs = performance.now() + LATER_MS;
  const { watch, stats, reads } = watchUntil(nowMs - 1);
  watch.tick(nowMs);
  await Promise.resolve();
  expect(reads()).toBe(0);
  expect(stats.foreignUnclaimed).toBe(0);
});
