import { describe, expect, test } from "vitest";
import { ServerClock } from "./server-clock.ts";

const NOON = Date.parse("2026-03-01T12:00:00Z");
const HEADER = "Sun, 01 Mar 2026 12:00:00 GMT";

/** A clock over a wall clock of this machine that shows `wallMs` where the monotonic one shows 0, and can be set. */
function started(wallMs: number) {
  let [monoMs, aheadMs] = [0, wallMs];
  const clock = new ServerClock({ wall: () => monoMs + aheadMs, mono: () => monoMs });
  return {
    clock,
    pass: (ms: number) => {
      monoMs += ms;
    },
    set: (byMs: number) => {
      aheadMs += byMs;
    },
    /** An answer that took so long. */
    answer: (date: string | undefined, tripMs = 0) => {
      const askedAtMs = monoMs;
      monoMs += tripMs;
      clock.note(date, askedAtMs);
    },
  };
}

describe("the server's clock by the Date of its answers", () => {
  test.each([
    ["within the header's second", HEADER, NOON + 100, 800, 0],
    ["ahead by ten seconds", HEADER, NOON + 10_400, 200, 10_000],
    ["behind by a minute", HEADER, NOON - 59_600, 200, -60_000],
    ["a slow answer explains it", HEADER, NOON, 6_000, 0],
    ["no header", undefined, NOON, 0, 0],
  ])("this machine's wall clock: %s", (_, header, wallMs, tripMs, offsetMs) => {
    const { clock, answer } = started(wallMs);
    answer(header, tripMs);
    expect(clock.offsetMs).toBe(offsetMs);
    expect(clock.nowMs()).toBe(wallMs + tripMs - offsetMs);
  });

  test.each([
    ["forward", 3_600_000],
    ["back", -3_600_000],
  ])(
    "a wall clock that is set %s between two answers changes no time, before the next answer and after it",
    (_, byMs) => {
      const { clock, answer, pass, set } = started(NOON + 500);
      answer(HEADER);
      set(byMs);
      pass(1_000.3);
      expect(clock.nowMs()).toBe(NOON + 1_500);
      answer("Sun, 01 Mar 2026 12:00:01 GMT");
      expect(clock.nowMs()).toBe(NOON + 1_500);
      expect(clock.offsetMs).toBe(byMs);
    },
  );

  test("a wall clock that is set while an answer is on its way does not count half of the jump", () => {
    const { clock, set, pass } = started(NOON + 500);
    set(3_600_000);
    pass(200);
    clock.note(HEADER, 0);
    expect(clock.nowMs()).toBe(NOON + 600);
  });

  test("a server whose clock is set is followed", () => {
    const { clock, answer } = started(NOON + 500);
    answer(HEADER);
    answer("Sun, 01 Mar 2026 13:00:00 GMT");
    expect(clock.nowMs()).toBe(NOON + 3_600_500);
    expect(clock.offsetMs).toBe(-3_600_000);
  });

  test("nothing is known before the first answer", () => {
    const { clock } = started(NOON);
    expect([clock.isKnown, clock.nowMs()]).toEqual([false, NOON]);
  });
});
