import { describe, expect, it } from "vitest";
import type { Bulk, ItemCounts } from "#contracts/message/operations.ts";
import { percentOf } from "./bulk-progress.ts";
import { describeBulk, outcomeWords, shortProgress } from "./describe-bulk.ts";
import { NO_ITEMS, sampleBulk } from "./preview/sample-bulk.fixture.ts";

const retry = (changes?: Partial<Bulk>, counts?: Partial<ItemCounts>) => ({
  action: "retry" as const,
  bulk: sampleBulk(changes, counts),
});
const REFUSED = { ...NO_ITEMS, selected: 7, refused: 7 };
const text = (changes?: Partial<Bulk>, counts?: Partial<ItemCounts>) => describeBulk(retry(changes, counts)).text;

describe("the headline of a bulk operation", () => {
  it("says share and time left while it runs; refused messages are not part of its number", () => {
    expect(text()).toBe("Retrying 3,045 messages: 54 % done, about 1 m 10 s left");
    expect(text({ secondsLeft: null })).toBe("Retrying 3,045 messages: 54 % done");
  });

  it("says that the canary goes first", () => {
    const canary = { size: 10, published: 3, failedAgain: 1, passed: false };
    expect(text({ canary })).toBe("Retrying 3,045 messages: 10 first, 3 published");
  });

  it("waits for outcomes after the last message was released", () => {
    expect(text({}, { left: 0, released: 12 })).toBe("Retrying 3,045 messages: waiting for the outcome of 12");
  });

  it("asks a person to act when it halted, and only warns when a person paused it", () => {
    expect(describeBulk(retry({ state: "halted" }))).toMatchObject({
      text: "Halted: retrying 3,045 messages, 54 % done",
      tone: "bad",
    });
    expect(describeBulk(retry({ state: "halted" })).advice).toMatch(/or cancel: the remaining messages/);
    expect(describeBulk(retry({ state: "halted" })).advice).toContain("Open “Failed again”");
    const republish = { ...retry({ state: "halted" }), action: "republish" as const };
    expect(describeBulk(republish).advice).toContain("Open “Failed” for");
    expect(describeBulk(retry({ state: "paused" })).tone).toBe("warn");
    expect(describeBulk(retry()).tone).toBeUndefined();
  });

  it("ends with outcomes, not with success", () => {
    const done = { left: 0, released: 0, published: 3005, refused: 0, skipped: 13 };
    expect(text({ state: "finished" }, done)).toBe(
      "Retried 3,036 of 3,049 messages: 3,005 published, 31 failed again, 13 skipped",
    );
    expect(text({ state: "finished" }, { ...NO_ITEMS, selected: 5, skipped: 5 })).toBe("Retried no message: 5 skipped");
    expect(text({ state: "cancelled" }, { ...done, published: 2000, cancelled: 1005 })).toBe(
      "Cancelled: 2,000 published, 31 failed again, 13 skipped, 1,005 left as they were",
    );
    expect(text({ state: "finished" }, NO_ITEMS)).toBe("Retried no message: none matched any more");
  });

  it("counts what other actions did", () => {
    expect(outcomeWords("archive", { ...NO_ITEMS, selected: 7, done: 7 })).toBe("all done");
    expect(outcomeWords("archive", { ...NO_ITEMS, selected: 7, done: 6, refused: 1 })).toBe("all done; 1 more refused");
    expect(outcomeWords("archive", { ...NO_ITEMS, selected: 7, done: 4, skipped: 2, refused: 1 })).toBe(
      "4 done, 2 skipped; 1 more refused",
    );
    expect(describeBulk({ action: "archive", bulk: sampleBulk({ state: "finished" }, REFUSED) }).text).toBe(
      "Archived no message: all 7 refused",
    );
  });
});

describe("the share", () => {
  it("is of known outcomes, never 100 before the end, and 100 at the end", () => {
    expect(percentOf(sampleBulk())).toBe(54);
    expect(percentOf(sampleBulk({}, { left: 0, released: 0 }))).toBe(99);
    expect(percentOf(sampleBulk({ state: "finished" }, { left: 0, released: 0 }))).toBe(100);
    expect(percentOf(sampleBulk({ state: "selecting" }, NO_ITEMS))).toBe(0);
  });

  it("fits into one line on every page", () => {
    expect(shortProgress(retry())).toBe("Retrying 3,045: 54 %");
    expect(shortProgress(retry({ state: "halted" }))).toBe("Halted: retrying 3,045: 54 %");
    expect(shortProgress(retry({ state: "selecting" }))).toBe("Retrying: selecting, 3,049 so far");
  });
});
