import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

test("a rate is kept in steps of 50 ms, not in bursts", () => {
  const pace = new Pace({ ratePerSecond: 200, rampSeconds: 0, now: 0 });
  expect([pace.allowed(10), pace.restMs(10)]).toEqual([0, 40]);
  expect(pace.allowed(50)).toBe(10);
  pace.record(10, 50);
  expect([pace.allowed(60), pace.restMs(60)]).toEqual([0, 40]);
});

test("a slow rate does one item at a time, and no rate waits for nothing", () => {
  const slow = new Pace({ ratePerSecond: 2, rampSeconds: 0, now: 0 });
  expect([slow.allowed(499), slow.allowed(500)]).toEqual([0, 1]);
  const free = new Pace({ ratePerSecond: null, rampSeconds: 0, now: 0 });
  expect([free.allowed(0), free.restMs(0)]).toEqual([Number.POSITIVE_INFINITY, 0]);
});
