import { describe, expect, it } from "vitest";
import { readFilters, withField, withSearch, writeFilters } from "./message-filters.ts";
import { describeRange, fromFieldValue, toFieldValue, withBounds, withRange } from "./time-range.ts";

const nowMs = Date.parse("2026-11-21T03:05:14.000Z");
const read = (query: string) => readFilters(new URLSearchParams(query));

describe("a range of time", () => {
  it("begins at an instant, so that its link means the same later", () => {
    const filters = withRange(read("state=dead&to=2026-11-01T00:00:00Z"), "1h", nowMs);
    expect(filters.fields).toEqual({ from: "2026-11-21T02:05:14.000Z" });
    const query = writeFilters(new URLSearchParams("outbox=orders"), filters).toString();
    expect(read(query)).toEqual(filters);
    expect(describeRange(read(query), nowMs)).toBe("Last 1 h");
  });

  it("is named by its ends once one of them is changed", () => {
    const moved = withField(withRange(read(""), "1h", nowMs), "from", "2026-11-21T03:00:00Z");
    expect(describeRange(readFilters(writeFilters(new URLSearchParams(), moved)), nowMs)).toBe("03:00:00 to now");
    const both = withBounds(read(""), "2026-11-21T03:00:00Z", "2026-11-21T04:00:00Z");
    expect(describeRange(both, nowMs)).toBe("03:00:00 to 04:00:00");
    expect(describeRange(withBounds(both, undefined, "2026-10-01T04:00:00Z"), nowMs)).toBe("until Oct 1, 04:00");
    expect(describeRange(withBounds(both, undefined, undefined), nowMs)).toBe("Any time");
  });

  it("is named by its ends once one of them is typed into the search", () => {
    const typed = withSearch(withRange(read(""), "1h", nowMs), { from: "2026-11-21T00:00:00Z" });
    expect(describeRange(readFilters(writeFilters(new URLSearchParams(), typed)), nowMs)).toBe("00:00:00 to now");
    const kept = withSearch(withRange(read(""), "1h", nowMs), { eventType: "order.placed" });
    expect(describeRange(kept, nowMs)).toBe("Last 1 h");
  });

  it("is typed in UTC", () => {
    expect(fromFieldValue("2026-11-21T03:05")).toBe("2026-11-21T03:05:00Z");
    expect(fromFieldValue("")).toBeUndefined();
    expect(toFieldValue("2026-11-21T04:05:14+01:00")).toBe("2026-11-21T03:05:14");
    expect(toFieldValue("yesterday")).toBe("");
  });
});
