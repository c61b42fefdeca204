import { expect, test } from "vitest";
import { daysUntil, growthPerDay, spanSeconds } from "./growth.ts";

const hour = (n: number, bytes: number) => ({ at: new Date(n * 3_600_000).toISOString(), bytes });
const line = (hours: number, perHour: number) =>
  Array.from({ length: hours }, (_, index) => hour(index, 1_000 + index * perHour));

test("the growth of a straight line is its slope a day", () => {
  expect(growthPerDay(line(48, 10))).toBeCloseTo(240, 6);
  expect(growthPerDay(line(48, -10))).toBeCloseTo(-240, 6);
});

test("gaps in the points do not bend it", () => {
  expect(growthPerDay(line(96, 10).filter((_, index) => index < 20 || index > 70))).toBeCloseTo(240, 6);
});

test("too few points, or points of a few hours, are no trend", () => {
  expect(growthPerDay([])).toBe(null);
  expect(growthPerDay(line(5, 10))).toBe(null);
  expect(growthPerDay(line(6, 10))).toBe(null);
  expect(growthPerDay(line(7, 10))).not.toBe(null);
});

test("the days until the limit: none when it is reached, unknown when it never is", () => {
  expect(daysUntil({ bytes: 50, perDay: 10, limit: 100 })).toBe(5);
  expect(daysUntil({ bytes: 100, perDay: null, limit: 100 })).toBe(0);
  expect(daysUntil({ bytes: 50, perDay: 0, limit: 100 })).toBe(null);
  expect(daysUntil({ bytes: 50, perDay: -3, limit: 100 })).toBe(null);
  expect(daysUntil({ bytes: 50, perDay: 10, limit: null })).toBe(null);
  expect(daysUntil({ bytes: null, perDay: 10, limit: 100 })).toBe(null);
});

test("the span of a trend is that of its points", () => {
  expect(spanSeconds(line(7, 10))).toBe(6 * 3600);
  expect(spanSeconds([])).toBe(0);
});
