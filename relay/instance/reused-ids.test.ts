import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ReusedIds } from "./reused-ids.ts";

const log = pino({ level: "silent" });

describe("the comparison of failures with their rows", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("goes through all records in steps, rests after the last, and after an error", async () => {
    const asked: (string | null)[] = [];
    const answers = ["b", "c", null, null];
    let fails = false;
    const dropReusedIds = async (after: string | null) => {
      asked.push(after);
      vi.advanceTimersByTime(10);
      if (fails) throw new Error("canceled");
      return { dropped: 0, next: answers.shift() ?? null };
    };
    const reused = new ReusedIds({ table: { dropReusedIds }, log });
    const lookFor = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 100) {
        await reused.look();
        vi.advanceTimersByTime(100);
      }
    };
    await lookFor(1000);
    expect(asked).toEqual([null, "b", "c"]);
    await lookFor(5000);
    expect(asked).toEqual([null, "b", "c", null]);
    fails = true;
    await lookFor(30_000);
    expect(asked).toHaveLength(5);
  });
});
