import { describe, expect, it } from "vitest";
import { readFilters, withField, withSearch, writeFilters } from "./message-filters.ts";

const read = (query: string) => readFilters(new URLSearchParams(query));

describe("filters in the address", () => {
  it("survive a round trip", () => {
    const query = "outbox=orders&state=dead&q=a%26b&eventType=order.placed&error=no+FX+rate&attemptsMin=3";
    const params = new URLSearchParams(query);
    expect(readFilters(writeFilters(params, read(query)))).toEqual(read(query));
  });

  it("leave the default tab and empty values out", () => {
    const written = writeFilters(new URLSearchParams("outbox=orders&state=dead"), {
      state: "unsent",
      fields: { q: " " },
    });
    expect(written.toString()).toBe("outbox=orders");
  });

  it("drop the old list's page and open message", () => {
    const params = new URLSearchParams("outbox=orders&cursor=abc&message=m-1&q=x");
    expect(writeFilters(params, read("state=failed")).toString()).toBe("outbox=orders&state=failed");
  });

  it("fall back to unpublished messages for an unknown state", () => {
    expect(read("state=lost").state).toBe("unsent");
  });

  it("look for a text in every state, and leave a named filter where it was set", () => {
    expect(withSearch(read("state=dead&eventType=order.placed"), { q: "order-9" })).toEqual({
      state: "all",
      fields: { eventType: "order.placed", q: "order-9" },
    });
    expect(withSearch(read("state=dead"), { aggregateId: "order-9" }).state).toBe("dead");
    expect(writeFilters(new URLSearchParams("outbox=orders"), read("state=all&q=x")).get("state")).toBe("all");
  });

  it("keep a value that the server will refuse, so that its chip can be removed", () => {
    expect(read("attemptsMin=many").fields).toEqual({ attemptsMin: "many" });
  });

  it("remove one field and keep the rest", () => {
    expect(withField(read("q=x&error=y"), "q", undefined).fields).toEqual({ error: "y" });
  });
});
