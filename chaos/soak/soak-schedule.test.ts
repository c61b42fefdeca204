import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FAULT_KINDS } from "./fault-kinds.ts";
import { generateSoakSchedule } from "./soak-schedule.ts";

const BASE = { kinds: FAULT_KINDS.kafka, chaosMs: 300_000, longestMs: 15_000, calmMs: [4000, 8000] } as const;

describe("a soak's schedule", () => {
  test("depends on the seed only", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const schedule = generateSoakSchedule({ ...BASE, seed });
        expect(generateSoakSchedule({ ...BASE, seed })).toEqual(schedule);
        expect(generateSoakSchedule({ ...BASE, seed: seed + 1 })).not.toEqual(schedule);
      }),
      { numRuns: 50 },
    );
  });

  test("fits the time, with calm before each fault, and contains every kind", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const schedule = generateSoakSchedule({ ...BASE, seed });
        expect(schedule.reduce((sum, { afterMs, forMs }) => sum + afterMs + forMs, 0)).toBeLessThanOrEqual(300_000);
        for (const { afterMs, forMs } of schedule) {
          expect(afterMs).toBeGreaterThanOrEqual(4000);
          expect(forMs).toBeLessThanOrEqual(15_000);
        }
        expect(new Set(schedule.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS.kafka));
      }),
      { numRuns: 50 },
    );
  });

  test("keeps short faults short where the longest is shorter than usual", () => {
    const schedule = generateSoakSchedule({ ...BASE, seed: 1, chaosMs: 20_000, longestMs: 300, calmMs: [500, 900] });
    expect(Math.max(...schedule.map(({ forMs }) => forMs))).toBeLessThanOrEqual(300);
  });
});
