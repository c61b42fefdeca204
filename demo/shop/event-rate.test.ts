import { expect, test } from "vitest";
import { eventRateAt } from "./event-rate.ts";

test("stays between 5 and 50 events a second outside of bursts, and reaches both ends", () => {
  const rates = Array.from({ length: 400 }, (_, second) => eventRateAt(second));
  expect(Math.min(...rates)).toBeCloseTo(5, 0);
  expect(Math.max(...rates)).toBeCloseTo(50, 0);
});

test("bursts for a few seconds every seven minutes, not at the start", () => {
  expect(eventRateAt(0)).toBeLessThan(20);
  expect(eventRateAt(421)).toBe(150);
  expect(eventRateAt(425)).toBeLessThan(51);
});
