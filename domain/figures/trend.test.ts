import { describe, expect, test } from "vitest";
import { trendOf } from "./trend.ts";

const lastHours = (...counts: number[]) => [...Array(24 - counts.length).fill(0), ...counts];

describe("the trend of a failure group", () => {
  test.each([
    ["rising", lastHours(0, 0, 0, 0, 40, 80)],
    ["rising", lastHours(0, 0, 0, 0, 0, 4)],
    ["falling", lastHours(100, 90, 80, 20, 10, 5)],
    ["steady", lastHours(9, 11, 10, 12, 8, 10)],
    ["steady", lastHours(0, 0, 0, 0, 0, 1)],
    ["none", lastHours(70, 0, 0, 0, 0, 0, 0)],
  ])("%s: %j", (trend, hours) => expect(trendOf(hours, true)).toBe(trend));

  test("is not known without times, or where not every failure was read", () => {
    expect(trendOf(null, true)).toBe(null);
    expect(trendOf(lastHours(0, 0, 0, 0, 40, 80), false)).toBe(null);
  });
});
