import { expect, test } from "vitest";
import type { Sample } from "#contracts/outbox/snapshot.ts";
import { lastOf, maxOf, nowOf, toChartPoints } from "./series-points.ts";

function sample(second: number, outPerSecond: number | null): Sample {
  return {
    at: new Date(second * 1000).toISOString(),
    inPerSecond: null,
    outPerSecond,
    failuresPerSecond: null,
    backlog: null,
    dead: null,
    oldestPendingSeconds: null,
    p50Ms: null,
    p99Ms: null,
  };
}

test("a gap in the samples becomes an empty point, never a zero", () => {
  const points = toChartPoints([sample(0, 5), sample(10, 6), sample(60, 7)], ["outPerSecond"], 10);
  expect(points.map((point) => [point.atMs / 1000, point.outPerSecond])).toEqual([
    [0, 5],
    [10, 6],
    [20, null],
    [60, 7],
  ]);
});

test("a late sample is no gap", () => {
  expect(toChartPoints([sample(0, 5), sample(15, 6)], ["outPerSecond"], 10)).toHaveLength(2);
});

test("unknown values count neither as the largest nor as the last", () => {
  const points = toChartPoints([sample(0, 5), sample(10, null)], ["outPerSecond"], 10);
  expect(maxOf(points, ["outPerSecond"])).toBe(5);
  expect(lastOf(points, "outPerSecond")?.outPerSecond).toBe(5);
  expect(lastOf([], "outPerSecond")).toBeUndefined();
});

test("a value is that of now only while points arrive", () => {
  const range = { points: toChartPoints([sample(0, 5), sample(10, 6)], ["outPerSecond"], 10), stepMs: 10_000 };
  expect(nowOf({ ...range, toMs: 15_000 }, "outPerSecond")).toBe(6);
  expect(nowOf({ ...range, toMs: 3_000_000 }, "outPerSecond")).toBeNull();
});
