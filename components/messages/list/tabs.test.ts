import { describe, expect, it } from "vitest";
import type { Figure } from "#contracts/common.ts";
import { listTabs, sumFigures } from "./tabs.ts";

const exact = (value: number): Figure => ({ value, precision: "exact" });

describe("tabs", () => {
  it("add up, as exactly as their least exact part", () => {
    expect(sumFigures([exact(2), exact(3)])).toEqual(exact(5));
    expect(sumFigures([exact(2), { value: 10_000, precision: "capped" }])).toEqual({
      value: 10_002,
      precision: "capped",
    });
    expect(sumFigures([exact(2), { value: 640, precision: "estimate" }]).precision).toBe("estimate");
  });

  it("say at least where a part is not known, and nothing where no part is", () => {
    const unknown: Figure = { value: 0, precision: "unknown" };
    expect(sumFigures([unknown, { value: 50_000, precision: "capped" }])).toEqual({
      value: 50_000,
      precision: "capped",
    });
    expect(sumFigures([unknown, exact(0)]).precision).toBe("unknown");
    expect(sumFigures([unknown, unknown]).precision).toBe("unknown");
  });

  it("begin with all states, where a search finds what it looks for", () => {
    expect(listTabs({}, "unsent").map((tab) => tab.label)[0]).toBe("All states");
  });

  it("show expired and unknown only when asked for", () => {
    expect(listTabs({}, "unsent").map((tab) => tab.tab)).not.toContain("expired");
    expect(listTabs({}, "unknown").map((tab) => tab.tab)).toContain("unknown");
  });
});
