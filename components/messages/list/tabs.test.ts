import { describe, expect, it } from "vitest";
import { listTabs } from "./tabs.ts";

describe("tabs", () => {
  it("begin with all states, where a search finds what it looks for", () => {
    expect(listTabs({}, "unsent").map((tab) => tab.label)[0]).toBe("All states");
  });

  it("show expired and unknown only when asked for", () => {
    expect(listTabs({}, "unsent").map((tab) => tab.tab)).not.toContain("expired");
    expect(listTabs({}, "unknown").map((tab) => tab.tab)).toContain("unknown");
  });
});
