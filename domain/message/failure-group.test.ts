import { describe, expect, test } from "vitest";
import { isFolded, isLater } from "./failure-group.ts";

describe("a failure after a group was resolved", () => {
  test.each([
    ["2026-11-23T02:00:00.000001Z", "2026-11-23T02:00:00.000000Z", true],
    ["2026-11-23T02:00:00.123Z", "2026-11-23T02:00:00.123000Z", false],
    ["2026-11-23T02:00:00Z", "2026-11-23T02:00:00.000000Z", false],
    ["2026-11-23T02:00:00.124Z", "2026-11-23T02:00:00.123999Z", true],
  ])("%s after %s: %s", (at, seen, later) => expect(isLater(at, seen)).toBe(later));
});

describe("an ignored group", () => {
  const hours = (last: number) => [...Array(23).fill(0), last];
  test("is folded up to its rate, and shown above it", () => {
    expect(isFolded(5, hours(5), true)).toBe(true);
    expect(isFolded(5, hours(6), true)).toBe(false);
  });
  test("is shown where its rate is not known, and above it even if not all was read", () => {
    expect(isFolded(5, null, true)).toBe(null);
    expect(isFolded(5, hours(1), false)).toBe(null);
    expect(isFolded(5, hours(6), false)).toBe(false);
  });
});
