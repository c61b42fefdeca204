import { describe, expect, test } from "vitest";
import type { OpenTransaction } from "./transaction-list.ts";
import { ownMarker, sampleOf } from "./transaction-samples.ts";

const open = (id: bigint, thread = "7", query = ""): OpenTransaction => ({ id, thread, query });

describe("a list of transactions", () => {
  test("is fresh if it shows the marker, which has a higher id than the last one", () => {
    const list = [open(20n), open(12n, "8")];
    expect(ownMarker(list, { thread: "7", above: 15n, mark: "" })).toBe(20n);
    expect(ownMarker(list, { thread: "7", above: 20n, mark: "" })).toBeNull();
    expect(ownMarker(list, { thread: "9", above: 0n, mark: "" })).toBeNull();
  });

  test("may show the session's earlier marker that was never found, unless this statement is executing in it", () => {
    const within = { thread: "7", above: 15n, mark: "this reading" };
    expect(ownMarker([open(20n)], within)).toBeNull();
    expect(ownMarker([open(20n, "7", "SELECT /* another */")], within)).toBeNull();
    expect(ownMarker([open(20n, "7", "SELECT /* this reading */")], within)).toBe(20n);
  });

  test("gives a sample of all transactions, or of those that count for a table", () => {
    const sampled = { server: "s", own: 20n, open: [open(20n), open(12n, "8"), open(17n, "9")] };
    expect(sampleOf(sampled)).toEqual({ server: "s", endedBelow: 12n });
    expect(sampleOf(sampled, ({ thread }) => thread === "9")).toEqual({ server: "s", endedBelow: 17n });
    expect(sampleOf(sampled, () => false)).toEqual({ server: "s", endedBelow: 20n });
  });
});
