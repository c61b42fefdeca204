import { expect, test } from "vitest";
import { shownOf } from "./shown-of.ts";

const many = Array.from({ length: 24 }, (_, n) => n);

test("the first few of many are shown, all when asked for, and never all but one or two", () => {
  expect(shownOf(many, false)).toEqual([0, 1, 2, 3, 4]);
  expect(shownOf(many, true)).toHaveLength(24);
  expect(shownOf(many.slice(0, 8), false)).toHaveLength(8);
  expect(shownOf([], false)).toEqual([]);
});
