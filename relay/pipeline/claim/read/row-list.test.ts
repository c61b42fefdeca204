import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { WaitingRow } from "#db/stores/port/relay/claim.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { StoreError } from "#db/stores/port/store-error.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { horizonOf } from "#relay/testing/horizon.fixture.ts";
import type { ReadBegun } from "../../state/watermark.ts";
import { RowList } from "./row-list.ts";

const at = (n: number): OrderKey => [String(n), String(n)];
const row = (n: number, ageMs = 60_000): WaitingRow => ({
  ...{ id: String(n), aggregateKey: `a${n % 2}`, eventType: null, order: at(n), ageMs },
});
const from = (n: number, ahead = true): ReadBegun => ({ after: at(n), generation: 0, ahead, since: null });

describe("the list of a backlog's next rows", () => {
  let waiting: WaitingRow[];
  let asked: (string | undefined)[];
  let fails: Error | null;
  let inMemory: Set<string>;
  let withheld: Set<string>;
  let watermark: { generation: number };
  let pacing: { isScanning: boolean; noteListed: (tookMs: number) => void };
  let list: RowList;

  beforeEach(() => {
    [waiting, asked, fails] = [[1, 2, 3, 4, 5, 6].map((n) => row(n)), [], null];
    [inMemory, withheld, watermark] = [new Set(), new Set(), { generation: 0 }];
    pacing = { isScanning: true, noteListed: () => undefined };
    list = listOf(true);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function listOf(claimsByKey: boolean): RowList {
    const lookAhead = async ({ after }: { after: OrderKey | null }) => {
      asked.push(after?.[0]);
      if (fails) throw fails;
      const rows = waiting.filter(({ order }) => after === null || compareOrder(order, after) >= 0);
      return { rows, horizon: horizonOf(1, 1) };
    };
    const table = { compareOrder, lookAhead, ...(claimsByKey ? { claimsByKey: true as const } : {}) };
    return new RowList(
      { table, lease: {} as Lease, log: pino({ level: "silent" }) },
      {
        ...{ watermark, withheld },
        lanes: { has: (id) => inMemory.has(id), ids: () => [...inMemory] },
      },
      pacing,
    );
  }

  test("serves several claims, and is made again where it ends", async () => {
    expect(await list.next(from(1), 3)).toEqual({ ids: ["1", "2", "3"], until: at(3) });
    expect(await list.next(from(4), 3)).toEqual({ ids: ["4", "5", "6"], until: at(6) });
    waiting.push(row(7));
    expect(await list.next(from(7), 3)).toEqual({ ids: ["7"], until: at(7) });
    expect(asked).toEqual(["1", "7"]);
  });

  test("goes on where a claim ended early", async () => {
    await list.next(from(1), 4);
    expect(await list.next(from(2), 2)).toEqual({ ids: ["2", "3"], until: at(3) });
    expect(asked).toHaveLength(1);
  });

  test("leaves out what is in memory and aggregates that wait, which a claim would not take", async () => {
    inMemory.add("1");
    withheld.add("a0");
    expect(await list.next(from(1), 2)).toEqual({ ids: ["3", "5"], until: at(5) });
    withheld.add("a1");
    expect(await list.next(from(1), 2)).toBeNull();
  });

  test("ends before the first row that is not old: rows before it may still be committed", async () => {
    waiting[3] = row(4, 9000);
    waiting[5] = row(6, Number.NaN);
    expect(await list.next(from(1), 9)).toEqual({ ids: ["1", "2", "3"], until: at(3) });
    expect(await list.next(from(4), 9)).toBeNull();
  });

  test("is made only for a backlog, of a table that takes keys, and while reads scan it", async () => {
    expect(await list.next(from(1, false), 3)).toBeNull();
    expect(await listOf(false).next(from(1), 3)).toBeNull();
    pacing.isScanning = false;
    expect(await list.next(from(1), 3)).toBeNull();
    expect(asked).toEqual([]);
  });

  test("is dropped once rows went back or a read began before it", async () => {
    const again = async (change: () => unknown, begun = from(2)) => {
      await list.next(from(2), 1);
      asked = [];
      change();
      await list.next(begun, 1);
      return asked;
    };
    expect(await again(() => (watermark.generation += 1))).toEqual(["2"]);
    expect(await again(() => undefined, from(1))).toEqual(["1"]);
    expect(await again(() => undefined)).toEqual([]);
  });

  test("rows of one place are handed out once each", async () => {
    waiting = ["a", "b", "c"].map((id) => ({ ...row(1), id }));
    const claim = async () => {
      const { ids = [] } = (await list.next(from(1), 2)) ?? {};
      list.noteClaim(
        ids.map((id) => ({ id })),
        1,
      );
      return ids;
    };
    expect([await claim(), await claim()]).toEqual([["a", "b"], ["c"]]);
  });

  test("gives way to searches after a claim that found none of its rows, or was slow", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const askedAfter = async (found: { id: string }[], tookMs: number, ms: number) => {
      await list.next(from(1), 1);
      asked = [];
      list.noteClaim(found, tookMs);
      expect(await list.next(from(1), 1)).toBeNull();
      vi.advanceTimersByTime(ms);
      await list.next(from(1), 1);
      return asked;
    };
    expect(await askedAfter([], 1, 999)).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await askedAfter([], 1, 1000)).toEqual(["1"]);
    expect(await askedAfter([{ id: "9" }], 501, 29_999)).toEqual([]);
  });

  test("is of no use where most of its rows are of aggregates that wait: a search leaves them out", async () => {
    waiting = [1, 3, 5, 7, 9, 11, 13, 2].map((n) => row(n));
    withheld.add("a1");
    expect(await list.next(from(1), 9)).toBeNull();
    expect(await list.next(from(1), 9)).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test("is dropped after ten seconds, since rows may have been committed among its own", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    await list.next(from(1), 1);
    vi.advanceTimersByTime(10_000);
    await list.next(from(2), 1);
    expect(asked).toEqual(["1"]);
    vi.advanceTimersByTime(1);
    await list.next(from(3), 1);
    expect(asked).toEqual(["1", "3"]);
  });

  test("rows that went back while it was made are read from the table", async () => {
    const making = list.next(from(1), 3);
    watermark.generation += 1;
    expect(await making).toBeNull();
  });

  test("reads go on without it while its query fails, and an unreachable database is reported", async () => {
    fails = new Error("canceling statement due to statement timeout");
    expect(await list.next(from(1), 3)).toBeNull();
    fails = null;
    expect(await list.next(from(1), 3)).toBeNull();
    expect(asked).toHaveLength(1);
    fails = new StoreError("unreachable", "unavailable", "reset", {});
    await expect(listOf(true).next(from(1), 3)).rejects.toBe(fails);
  });
});
