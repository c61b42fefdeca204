import { describe, expect, it } from "vitest";
import { ApiError } from "#components/api/api-error.ts";
import { countOf, listTabs } from "./tabs.ts";

describe("tabs", () => {
  it("begin with all states, where a search finds what it looks for", () => {
    expect(listTabs({}, "unsent").map((tab) => tab.label)[0]).toBe("All states");
  });

  it("show expired and unknown only when asked for", () => {
    expect(listTabs({}, "unsent").map((tab) => tab.tab)).not.toContain("expired");
    expect(listTabs({}, "unknown").map((tab) => tab.tab)).toContain("unknown");
  });

  it("count as unknown what only a scan could count, and nothing before an answer", () => {
    const refused = new ApiError({
      status: 422,
      code: "filter_not_indexed",
      message: "This would read the whole table.",
    });
    expect(countOf(undefined, refused)).toEqual({ value: 0, precision: "unknown" });
    expect(countOf(undefined, null)).toBeUndefined();
  });

  it("have no count that could not be read again, beside figures that are live", () => {
    const matching = { value: 7, precision: "exact" } as const;
    expect(countOf({ matching }, null)).toEqual(matching);
    expect(countOf({ matching }, new Error("The database does not answer."))).toBeUndefined();
  });
});
