import { expect, test } from "vitest";
import { shownOf } from "./shown-of.ts";

const many = Array.from({ length: 24 }, (_, n) => n);

test("shows the first few of many, or all on request, and never hides just one or two", () => {
  expect(shownOf(many, false)).toEqual([0, 1, 2, 3, 4]);
  expect(shownOf(many, true)).toHaveLength(24);
  expect(shownOf(many.slice(0, 8), false)).toHaveLength(8);
  expect(shownOf([], false)).toEqual([]);
});
