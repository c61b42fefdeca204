import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateSchedule, PLANS, type StepKind } from "./schedule.ts";

const BASE = { store: "postgres", sink: "http", relays: 3, chaosMs: 60_000, leaseMs: 3000 } as const;

describe("a schedule of faults", () => {
  test("is the same for the same seed and differs between seeds", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const schedule = generateSchedule({ ...BASE, seed });
        expect(generateSchedule({ ...BASE, seed })).toEqual(schedule);
        expect(generateSchedule({ ...BASE, seed: seed + 1 })).not.toEqual(schedule);
      }),
      { numRuns: 50 },
    );
  });

  test("has its steps in order of time, for existing slots, and none that sink or store cannot perform", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const schedule = generateSchedule({ ...BASE, seed, sink: "redis", store: "dynamodb" });
        expect(schedule.map(({ atMs }) => atMs)).toEqual(schedule.map(({ atMs }) => atMs).sort((a, b) => a - b));
        for (const { slot, kind, forMs } of schedule) {
          expect([0, 1, 2]).toContain(slot);
          expect(kind).not.toMatch(/^answer-|^foreign-|^sessions-|^db-(restart|immediate)/);
          expect(forMs).toBeLessThanOrEqual(8000);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("contains every kind of fault when it is long", () => {
    const kinds = new Set(generateSchedule({ ...BASE, seed: 1, chaosMs: 3_600_000 }).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual((Object.keys(PLANS) as StepKind[]).sort());
  });
});
