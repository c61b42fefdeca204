import { expect, test } from "vitest";
import { formatRanges, formatShare } from "./format-partitions.ts";

test("a share is shown with the total, and all partitions as all", () => {
  expect([0, 12, 32].map(formatShare)).toEqual(["0 of 32 partitions", "12 of 32 partitions", "all partitions"]);
});

test("consecutive partitions are joined", () => {
  expect(formatRanges([])).toBe("");
  expect(formatRanges([0, 1, 2, 3, 7, 9, 10, 31])).toBe("0–3, 7, 9–10, 31");
});
