import { expect, test } from "vitest";
import { countEntry, type EntriesAMinute } from "./entries-a-minute.ts";

test("counts each key, and thousands of others make it forget only those that were longest away", () => {
  const known: EntriesAMinute = new Map();
  const counts = Array.from({ length: 3000 }, (_, n) => {
    countEntry(known, `address ${n}`);
    return countEntry(known, "again and again");
  });
  expect(counts.at(-1)).toBe(3000);
  expect(known.size).toBeLessThanOrEqual(1000);
  expect(countEntry(known, "address 0")).toBe(1);
});
