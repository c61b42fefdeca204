import type { Bulk, ItemCounts } from "#contracts/message/operations.ts";

export const NO_ITEMS: ItemCounts = {
  selected: 0,
  left: 0,
  released: 0,
  published: 0,
  failed_again: 0,
  done: 0,
  skipped: 0,
  refused: 0,
  cancelled: 0,
  unknown: 0,
};

/** A running retry of 3,049 messages, for tests. */
export function sampleBulk(changes: Partial<Bulk> = {}, counts: Partial<ItemCounts> = {}): Bulk {
  return {
    state: "running",
    note: null,
    sink: null,
    itemsKeptUntil: null,
    selection: "dead messages of one failure group",
    filter: { state: "dead", group: "00f1" },
    settings: { ratePerSecond: 20, rampSeconds: 30, canary: 10, haltPercent: 20 },
    counts: {
      ...NO_ITEMS,
      selected: 3049,
      published: 1624,
      failed_again: 31,
      skipped: 9,
      refused: 4,
      released: 5,
      left: 1376,
      ...counts,
    },
    ratePerSecond: 19.8,
    secondsLeft: 70,
    canary: { size: 10, published: 10, failedAgain: 0, passed: true },
    runner: { name: "worker-1", heartbeatAt: "2026-11-21T03:10:27Z" },
    endedAt: null,
    timeline: [],
    ...changes,
  };
}
