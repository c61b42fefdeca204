import { expect, test } from "vitest";
import type { Figure } from "#contracts/common.ts";
import { sumFigures } from "./sum-figures.ts";

const exact = (value: number): Figure => ({ value, precision: "exact" });
const capped: Figure = { value: 10_000, precision: "capped" };
const estimate: Figure = { value: 640, precision: "estimate" };
const unknown: Figure = { value: 0, precision: "unknown" };

test("a sum is as exact as its least exact part", () => {
  expect(sumFigures([exact(2), exact(3)])).toEqual(exact(5));
  expect(sumFigures([exact(2), capped])).toEqual({ value: 10_002, precision: "capped" });
  expect(sumFigures([exact(2), estimate])).toEqual({ value: 642, precision: "estimate" });
  expect(sumFigures([estimate, capped])).toEqual({ value: 10_640, precision: "capped" });
  expect(sumFigures([])).toEqual(exact(0));
});

test("a sum is at least where a part is not known, and not known where nothing is", () => {
  expect(sumFigures([unknown, exact(2)])).toEqual({ value: 2, precision: "capped" });
  expect(sumFigures([unknown, capped])).toEqual(capped);
  expect(sumFigures([unknown, exact(0)]).precision).toBe("unknown");
  expect(sumFigures([unknown, unknown]).precision).toBe("unknown");
});
