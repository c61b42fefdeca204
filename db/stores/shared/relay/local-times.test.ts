import { expect, test } from "vitest";
import { fromEpoch, zoned } from "./local-times.ts";

test("a time that RFC 3339 has no year for is none, and stops nobody who reads it", () => {
  expect(fromEpoch(1_772_359_200.5)).toBe("2026-03-01T10:00:00.5Z");
  expect([1_772_359_200_123, 9.3e18, -1e12].map(fromEpoch)).toEqual([null, null, null]);
  expect(zoned("9999-12-31 23:59:59", "America/New_York")).toBeNull();
});
