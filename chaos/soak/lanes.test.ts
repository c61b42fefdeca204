import { describe, expect, test } from "vitest";
import { CallWatch } from "./call-watch.ts";
import { Lanes } from "./lanes.ts";

const ALL = { most: 1000, run: 1 };
const numbers = (places: { lane: number; n: number }[]) => places.map(({ lane, n }) => `${lane}-${n}`).sort();

describe("lanes", () => {
  test("send a message only after the one before it is confirmed", () => {
    const lanes = new Lanes({ count: 2, rate: 2000, beginMs: 0 });
    const first = lanes.take(10, ALL);
    expect(numbers(first)).toEqual(["0-0", "1-0"]);
    expect(lanes.take(10, ALL)).toEqual([]);
    lanes.settle(first, [true, true], 11);
    expect(numbers(lanes.take(11, ALL))).toEqual(["0-1", "1-1"]);
  });

  test("try the same message again, after a pause", () => {
    const lanes = new Lanes({ count: 1, rate: 1000, beginMs: 0 });
    lanes.settle(lanes.take(10, ALL), [false], 10);
    expect(lanes.take(50, ALL)).toEqual([]);
    expect(lanes.take(200, ALL)).toEqual([{ lane: 0, n: 0 }]);
  });

  test("send a run again from its first failure on", () => {
    const lanes = new Lanes({ count: 1, rate: 1000, beginMs: 0 });
    const run = lanes.take(10, { most: 1000, run: 3 });
    expect(run).toHaveLength(3);
    lanes.settle(run, [true, false, true], 10);
    expect(lanes.confirmedAtMs).toEqual([[10]]);
    expect(lanes.take(200, ALL)).toEqual([{ lane: 0, n: 1 }]);
  });

  test("take no more than allowed, and begin with another lane each time", () => {
    const lanes = new Lanes({ count: 3, rate: 3000, beginMs: 0 });
    const taken = [1, 2, 3].flatMap(() => lanes.take(10, { most: 1, run: 1 }));
    expect(numbers(taken)).toEqual(["0-0", "1-0", "2-0"]);
  });

  test("have nothing more fall due after the end", () => {
    const lanes = new Lanes({ count: 1, rate: 1000, beginMs: 0 });
    lanes.end(2);
    expect(lanes.dueBy(1000)).toBe(2);
    lanes.settle(lanes.take(1000, { most: 10, run: 10 }), [true, true], 1000);
    expect([lanes.confirmed, lanes.ready(5000)]).toEqual([2, 0]);
  });
});

describe("a watch on calls", () => {
  test("counts calls that took too long, and those that still have no outcome", () => {
    const watch = new CallWatch(100);
    watch.begin(0)(50);
    watch.begin(0)(150);
    watch.begin(0);
    watch.begin(950);
    expect(watch.figures(1000)).toEqual({ calls: 4, longestCallMs: 1000, late: 2, open: 2 });
  });
});
