import { expect, test } from "vitest";
import { formatAxisDuration, niceDurationTicks, niceTicks, timeTicks } from "./ticks.ts";

test("ticks are round and reach the largest value", () => {
  expect(niceTicks(7)).toEqual([0, 2, 4, 6, 8]);
  expect(niceTicks(4812)).toEqual([0, 2000, 4000, 6000]);
  expect(niceTicks(0.3)).toEqual([0, 0.1, 0.2, 0.3]);
});

test("no values still have an axis", () => {
  expect(niceTicks(0, 1)).toEqual([0, 1]);
  expect(niceDurationTicks(0).length).toBeGreaterThan(1);
});

test("durations step in minutes, not in hundreds of seconds", () => {
  expect(niceDurationTicks(848)).toEqual([0, 300, 600, 900]);
  expect(niceDurationTicks(360).map(formatAxisDuration)).toEqual(["0", "2 m", "4 m", "6 m"]);
});

test("time ticks fall on the quarter of an hour", () => {
  const from = Date.parse("2026-11-21T02:05:14Z");
  const ticks = timeTicks(from, from + 3600_000, 5);
  expect(ticks.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(["02:15", "02:30", "02:45", "03:00"]);
});
