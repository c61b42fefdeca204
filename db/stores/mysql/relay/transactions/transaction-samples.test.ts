import { describe, expect, test } from "vitest";
import type { OpenTransaction } from "./transaction-list.ts";
import { ownMarker, sampleOf } from "./transaction-samples.ts";

const open = (id: bigint, thread = "7", query = ""): OpenTransaction => ({ id, thread, query });

describe("a list of transactions", () => {
  test("is fresh only if it shows the marker with the very statement that asks, not an earlier transaction of the session", () => {
    const own = { thread: "7", mark: "this reading" };
    expect(ownMarker([open(12n, "8"), open(20n, "7", "SELECT /* this reading */")], own)).toBe(20n);
    expect(ownMarker([open(20n)], own)).toBeNull();
    expect(ownMarker([open(20n, "7", "SELECT /* another */")], own)).toBeNull();
    expect(ownMarker([open(20n, "8", "SELECT /* this reading */")], own)).toBeNull();
  });

  test("gives a sample of all transactions, or of those that count for a table", () => {
    const sampled = { server: "s", number: 3, own: 20n, open: [open(20n), open(12n, "8"), open(17n, "9")] };
    expect(sampleOf(sampled)).toEqual({ server: "s", number: 3, endedBelow: 12n });
    expect(sampleOf(sampled, ({ thread }) => thread === "9")).toMatchObject({ endedBelow: 17n });
    expect(sampleOf(sampled, () => false)).toMatchObject({ endedBelow: 20n });
  });
});
