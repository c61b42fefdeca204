import { expect, test } from "vitest";
import { endOfDay, startOfDay } from "./audit-days.ts";

test("a day goes from its midnight to the next, in UTC", () => {
  expect(startOfDay("2026-02-28")).toBe("2026-02-28T00:00:00.000Z");
  expect(endOfDay("2026-02-28")).toBe("2026-03-01T00:00:00.000Z");
});

test("what is no day bounds nothing", () => {
  for (const text of [undefined, "", "2026-2-1", "2026-13-01", "yesterday"]) {
    expect(startOfDay(text)).toBeUndefined();
    expect(endOfDay(text)).toBeUndefined();
  }
});
