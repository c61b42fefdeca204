import { describe, expect, onTestFinished, test, vi } from "vitest";
import { PUBLISHED } from "#relay/sinks/sink.ts";
import { BROKEN, FAILED, NO_LEADER, openHandler } from "./outcome-handler.fixture.ts";

describe("while others get through", () => {
  const openFlowing = () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const opened = openHandler();
    let n = 100;
    /** Another aggregate's message gets through; it began so long ago. */
    const works = (agoMs = 0) => opened.tries(n++, PUBLISHED, performance.now() - agoMs);
    works();
    return { ...opened, works };
  };

  test("an aggregate that is refused as if the sink were down does not open the breaker", () => {
    const { breaker, decided, outcomes, tries, works } = openFlowing();
    for (let round = 0; round < 5; round += 1) {
      tries(1, FAILED, performance.now());
      outcomes.noMoreEvidence();
      vi.advanceTimersByTime(5);
      expect(breaker.isOpen).toBe(false);
      works();
    }
    outcomes.stop();
    expect(decided.filter((one) => one.startsWith("1 "))).toEqual([
      ...["1 given_back", "1 given_back", "1 failed", "1 failed", "1 failed"],
    ]);
  });

  test("many aggregates of one partition without a leader do not open it, and wait without losing attempts", () => {
    const { breaker, decided, outcomes, tries, works } = openFlowing();
    for (let round = 0; round < 4; round += 1) {
      for (let n = 1; n <= 5; n += 1) tries(n, NO_LEADER, performance.now());
      expect(breaker.isOpen).toBe(false);
      vi.advanceTimersByTime(500);
      works();
    }
    outcomes.stop();
    expect(breaker.isOpen).toBe(false);
    expect(decided.filter((one) => /^\d /.test(one) && !one.endsWith("spared"))).toEqual([]);
  });

  test("retries of messages that failed beside others do not open it, however long nothing else is written", () => {
    const { breaker, decided, outcomes, tries, works } = openFlowing();
    for (let n = 1; n <= 5; n += 1) tries(n, NO_LEADER, performance.now());
    vi.advanceTimersByTime(500);
    works();
    decided.length = 0;
    vi.advanceTimersByTime(5000);
    for (let n = 1; n <= 5; n += 1) tries(n, NO_LEADER, performance.now(), {}, true);
    vi.advanceTimersByTime(2500);
    outcomes.stop();
    expect(breaker.isOpen).toBe(false);
    expect(decided).toEqual([1, 2, 3, 4, 5].map((n) => `${n} failed, spared`));
  });

  test("a partition without a leader opens it once nothing has got through for a second", () => {
    const { breaker, outcomes, tries } = openFlowing();
    for (let n = 1; n <= 5; n += 1) tries(n, NO_LEADER, performance.now());
    vi.advanceTimersByTime(2500);
    outcomes.stop();
    expect(breaker.isOpen).toBe(true);
  });

  test("it opens a second after the last success", () => {
    const { breaker, outcomes, tries } = openFlowing();
    tries(1, FAILED, performance.now());
    outcomes.noMoreEvidence();
    vi.advanceTimersByTime(2500);
    outcomes.stop();
    expect(breaker.isOpen).toBe(true);
  });

  test("retries that fail once more do not open the breaker, whatever their number, and burn attempts", () => {
    const { breaker, decided, outcomes, tries, works } = openFlowing();
    for (let n = 1; n <= 50; n += 1) tries(n, BROKEN, performance.now(), { attempts: 3 }, true);
    outcomes.noMoreEvidence();
    expect(breaker.isOpen).toBe(false);
    works();
    outcomes.stop();
    expect(decided.filter((one) => one.endsWith(" failed"))).toHaveLength(50);
  });

  test("retries alone open it when nothing gets through for a second", () => {
    const { breaker, decided, outcomes, tries } = openFlowing();
    for (let n = 1; n <= 5; n += 1) tries(n, BROKEN, performance.now(), { attempts: 3 }, true);
    outcomes.noMoreEvidence();
    vi.advanceTimersByTime(2500);
    outcomes.stop();
    expect(breaker.isOpen).toBe(true);
    expect(decided.filter((one) => one.endsWith(" given_back"))).toHaveLength(5);
  });

  test("messages of which each second one fails do not open the breaker", () => {
    const { breaker, outcomes, tries, works } = openFlowing();
    for (let n = 1; n <= 60; n += 1) {
      tries(n, BROKEN, performance.now());
      works();
    }
    for (let n = 61; n <= 65; n += 1) tries(n, BROKEN, performance.now());
    outcomes.noMoreEvidence();
    outcomes.stop();
    expect(breaker.isOpen).toBe(false);
  });
});
