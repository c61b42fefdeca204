import { describe, expect, it } from "vitest";
import { readFilters } from "#components/filters/message-filters.ts";
import { openView, viewOf } from "./saved-views.ts";

const HOUR = 3_600_000;
const nowMs = Date.parse("2026-11-21T03:05:14.000Z");

describe("a saved view", () => {
  it("opens the same filters and columns", () => {
    const filters = readFilters(new URLSearchParams("state=dead&error=no+FX&to=2026-11-01T00:00:00Z"));
    const view = viewOf("x", filters, ["state", "id"]);
    expect(openView(view, nowMs)).toEqual({ filters, columns: ["state", "id"] });
  });

  it("of the last hour means the hour before it is opened", () => {
    const filters = readFilters(new URLSearchParams("state=all&from=2026-11-01T00:00:00Z&last=1h"));
    const view = viewOf("x", filters, ["id"]);
    expect(view.query).toEqual({ state: "all", last: "1h" });
    expect(openView(view, nowMs).filters).toEqual({
      state: "all",
      last: "1h",
      fields: { from: new Date(nowMs - HOUR).toISOString() },
    });
  });

  it("keeps no column that is not there any more", () => {
    expect(openView({ name: "x", query: {}, columns: ["gone"] }, nowMs).columns).toBeUndefined();
  });
});
