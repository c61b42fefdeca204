import { expect, test } from "vitest";
import type { CountFigure } from "../../port/outbox-figures.ts";
import { exact, figureOf, pendingOf, sum } from "./count-figure.ts";

const capped = (value: number): CountFigure => ({ value, precision: "capped" });
const estimate = (value: number): CountFigure => ({ value, precision: "estimate" });
const UNKNOWN = { value: 0, precision: "unknown" };

test("a sum is exact only if both of its parts are", () => {
  expect(sum(exact(2), exact(3))).toEqual(exact(5));
  expect(sum(exact(2), capped(3))).toEqual(capped(5));
  expect(sum(estimate(2), exact(3))).toEqual(estimate(5));
  expect([sum(estimate(2), capped(3)), sum(capped(3), estimate(2))]).toEqual([estimate(5), estimate(5)]);
});

test("pending messages are the unsent ones without the others", () => {
  expect(pendingOf(exact(10), [exact(3), exact(2)])).toEqual(exact(5));
  expect(pendingOf(capped(10), [exact(3)])).toEqual(capped(7));
  expect(pendingOf(exact(10), [estimate(3)])).toEqual(estimate(7));
  expect(pendingOf(exact(1), [estimate(3)])).toEqual(estimate(0));
  expect(pendingOf(capped(50), [estimate(3)])).toEqual(estimate(47));
  expect(pendingOf(capped(50), [capped(10), exact(1)]), "either may be more").toEqual(UNKNOWN);
});

test("at least 0 is not known, whether subtracted or counted", () => {
  expect(pendingOf(capped(3), [exact(3)])).toEqual(UNKNOWN);
  expect(figureOf(0, false, 100)).toEqual(UNKNOWN);
});

test("a count that stopped is at least what it found, up to its limit", () => {
  expect(figureOf(0, true, 100)).toEqual(exact(0));
  expect(figureOf(101, false, 100)).toEqual(capped(100));
});
