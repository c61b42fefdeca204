import { describe, expect, test } from "vitest";
import { ClaimCapacity } from "./claim-capacity.ts";

const BATCH = 1000;

/** The limit of a read of four batches after a claim of so many messages, of which `keyOf` names the aggregates. */
function limitAfter(count: number, keyOf: (n: number) => string | null, mostAtOnce = Number.POSITIVE_INFINITY): number {
  const context = { settings: { batchSize: BATCH } };
  const events = { mostAtOnce: () => mostAtOnce, giveBack: () => undefined };
  const capacity = new ClaimCapacity(context as never, {} as never, events);
  const messages = Array.from({ length: count }, (_, n) => ({ id: String(n), aggregateKey: keyOf(n) }));
  if (count > 0) capacity.noteRoom({ token: "t", messages } as never);
  return capacity.limitOf(4);
}

describe("a read of several batches", () => {
  test.each([
    { of: "aggregates of a message each", keyOf: (n: number) => String(n), limit: 4000 },
    { of: "messages without an aggregate", keyOf: () => null, limit: 4000 },
    { of: "50 aggregates", keyOf: (n: number) => String(n % 50), limit: 4000 },
    { of: "20 aggregates", keyOf: (n: number) => String(n % 20), limit: 2000 },
    { of: "10 aggregates, of which more would go back", keyOf: (n: number) => String(n % 10), limit: 1000 },
    { of: "one that has most, beside many", keyOf: (n: number) => (n % 10 === 0 ? String(n) : "a"), limit: 1000 },
  ])("has $limit messages after a batch of $of", ({ keyOf, limit }) => {
    expect(limitAfter(BATCH, keyOf)).toBe(limit);
  });

  test("has one batch until a full one was read, and few while a relay's death is fresh", () => {
    expect(limitAfter(0, String)).toBe(BATCH);
    expect(limitAfter(BATCH, String, 50)).toBe(50);
  });
});
