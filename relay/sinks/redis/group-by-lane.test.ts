import fc from "fast-check";
import { expect, test } from "vitest";
import { groupByLane, JOINED_UP_TO } from "./group-by-lane.ts";

const group = (lanes: string) =>
  groupByLane([...lanes].map((lane) => ({ lane }))).map((entries) => entries.map(({ lane }) => lane).join(""));

test.each([
  ["", []],
  ["abc", ["a", "b", "c"]],
  ["aab", ["aa", "b"]],
  ["abbcd", ["a", "bb", "c", "d"]],
  ["aabbc", ["aabb", "c"]],
  ["xabay", ["x", "aba", "y"]],
  ["abcbadd", ["abcbadd"]],
])("%s", (lanes, expected) => {
  expect(group(lanes)).toEqual(expected);
});

test("groups with enough entries are not joined", () => {
  const runs = Array.from({ length: 1000 }, (_, n) => ({ lane: String(Math.floor(n / 4)) }));
  const sizes = groupByLane(runs).map((entries) => entries.length);
  expect(Math.max(...sizes)).toBeLessThan(JOINED_UP_TO + 4);
  expect(sizes.length).toBeLessThan(1000 / JOINED_UP_TO + 1);
});

test("keeps the order, and no lane is in two groups", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(..."abcdefghijklmnop")), (lanes) => {
      const groups = group(lanes.join(""));
      expect(groups.join("")).toBe(lanes.join(""));
      const seen = new Set<string>();
      for (const one of groups) {
        const own = new Set(one);
        expect([...own].filter((lane) => seen.has(lane))).toEqual([]);
        for (const lane of own) seen.add(lane);
      }
    }),
  );
});
