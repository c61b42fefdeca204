import { describe, expect, it } from "vitest";
import { normaliseValue, parseFilterText } from "./parse-filter-text.ts";

describe("the filter field", () => {
  it("takes plain words as an id, aggregate or type", () => {
    expect(parseFilterText("  order-48213 ")).toEqual({ q: "order-48213" });
  });

  it("takes named values, with quotes around spaces", () => {
    expect(parseFilterText('type:order.placed error:"no FX rate" attempts:>=3')).toEqual({
      eventType: "order.placed",
      error: "no FX rate",
      attemptsMin: "3",
    });
  });

  it("keeps the text after the named values as an exact search", () => {
    expect(parseFilterText("type:order.placed order-1")).toEqual({ eventType: "order.placed", q: "order-1" });
  });

  it("takes a pasted traceparent as a trace, and every other text with hyphens as an id", () => {
    const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    expect(parseFilterText(parent)).toEqual({ traceId: parent });
    expect(parseFilterText("trace:4bf92f3577b34da6a3ce929d0e0e4736")).toEqual({
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    });
    const uuid = "4bf92f35-77b3-4da6-a3ce-929d0e0e4736";
    expect(parseFilterText(uuid)).toEqual({ q: uuid });
  });

  it("does not split an id with a colon", () => {
    expect(parseFilterText("urn:order:7")).toEqual({ q: "urn:order:7" });
    expect(parseFilterText("https://example.com/a")).toEqual({ q: "https://example.com/a" });
  });

  it("reads days and minutes as UTC and passes other values to the server", () => {
    expect(normaliseValue("from", "2026-11-21")).toBe("2026-11-21T00:00:00Z");
    expect(normaliseValue("to", "2026-11-21 03:05")).toBe("2026-11-21T03:05:00Z");
    expect(normaliseValue("to", "yesterday")).toBe("yesterday");
  });
});
