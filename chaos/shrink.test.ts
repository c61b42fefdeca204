import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shrink } from "./shrink.ts";

describe("shrinking a schedule", () => {
  test("keeps only the elements needed to fail", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(40), { maxLength: 4 }),
        fc.integer({ min: 41, max: 80 }),
        async (needed, length) => {
          const list = Array.from({ length }, (_, index) => index);
          const shrunk = await shrink(list, 10_000, async (rest) => needed.every((one) => rest.includes(one)));
          expect(shrunk).toEqual(needed.toSorted((left, right) => left - right));
        },
      ),
      { numRuns: 50 },
    );
  });

  test("stops when its tries are used up", async () => {
    let tries = 0;
    await shrink(
      Array.from({ length: 100 }, (_, index) => index),
      7,
      async () => {
        tries += 1;
        return false;
      },
    );
    expect(tries).toBe(7);
  });
});
