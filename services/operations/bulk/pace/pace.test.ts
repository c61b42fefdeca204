import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

test("a rate is kept in steps of 20 ms, not in bursts", () => {
  const pace = new Pace({ ratePerSecond: 200, rampSeconds: 0, now: 0 });
  expect([pace.allowed(10), pace.restMs(10)]).toEqual([0, 10]);
  expect(pace.allowed(20)).toBe(4);
  pace.record(4, 20);
  expect([pace.allowed(30), pace.restMs(30)]).toEqual([0, 10]);
});

test("a slow rate does one item at a time, and no rate waits for nothing", () => {
  const slow = new Pace({ ratePerSecond: 2, rampSeconds: 0, now: 0 });
  expect([slow.allowed(499), slow.allowed(500)]).toEqual([0, 1]);
  const free = new Pace({ ratePerSecond: null, rampSeconds: 0, now: 0 });
  expect([free.allowed(0), free.restMs(0)]).toEqual([Number.POSITIVE_INFINITY, 0]);
});
