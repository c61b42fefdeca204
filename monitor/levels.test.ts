import { describe, expect, test } from "vitest";
import { levelsOf, unpublishedOf } from "./levels.ts";

const exact = (value: number) => ({ value, precision: "exact" as const });
const COUNTS = {
  ...{ pending: exact(5), failed: exact(4), in_flight: exact(3), unknown: exact(2), dead: exact(1), expired: exact(0) },
  ...{ published: exact(0), archived: exact(0) },
};
const NOTHING_WAITS = { oldestPending: null, oldestClaimSeconds: null };
const PARTS = ["pending", "failed", "in_flight", "unknown", "dead", "expired"] as const;

describe("what was not published", () => {
  test("is the sum of what waits, what is dead, expired or of an unknown state", () => {
    expect(unpublishedOf(COUNTS)).toBe(15);
    expect(unpublishedOf({ ...COUNTS, dead: { value: 0, precision: "unknown" } })).toBe(14);
  });

  test.each(PARTS)("is not known if the count of %s stops at its limit or is an estimate", (part) => {
    expect(unpublishedOf({ ...COUNTS, [part]: { value: 50_000, precision: "capped" } })).toBeNull();
    expect(unpublishedOf({ ...COUNTS, [part]: { value: 50_000, precision: "estimate" } })).toBeNull();
  });
});

describe("levels of a sample", () => {
  test("are those of the counts", () => {
    expect(levelsOf({ counts: COUNTS, ...NOTHING_WAITS })).toEqual({ backlog: 12, dead: 1, oldestPendingSeconds: 0 });
  });

  test("are not known if a count stops at its limit: what waits may grow behind it", () => {
    const counts = {
      ...COUNTS,
      pending: { value: 50_000, precision: "capped" as const },
      dead: { value: 50_000, precision: "capped" as const },
    };
    expect(levelsOf({ counts, ...NOTHING_WAITS })).toEqual({ backlog: null, dead: null, oldestPendingSeconds: null });
  });
});
