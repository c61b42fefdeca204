import { describe, expect, test } from "vitest";
import { ClaimPacing } from "./claim-pacing.ts";

describe("the pace of a claimer", () => {
  test("is quiet once nothing was found for three seconds, until something is found", () => {
    const pacing = new ClaimPacing(0);
    expect(pacing.isQuiet(3000)).toBe(false);
    expect(pacing.isQuiet(3001)).toBe(true);
    pacing.noteFound(3001);
    expect(pacing.isQuiet(6001)).toBe(false);
  });

  test("is not quiet while reads are slow: a peek would walk over the same rows", () => {
    const pacing = new ClaimPacing(0);
    pacing.noteRead({ more: false, tookMs: 11, found: 0, full: false });
    expect(pacing.isSlow).toBe(true);
    expect(pacing.isQuiet(10_000)).toBe(false);
    pacing.noteRead({ more: false, tookMs: 10, found: 0, full: false });
    expect(pacing.isQuiet(10_000)).toBe(true);
  });

  test("a long read of a whole page is not slow", () => {
    const pacing = new ClaimPacing(0);
    pacing.noteRead({ more: true, tookMs: 500, found: 5, full: true });
    expect(pacing.isSlow).toBe(false);
  });

  test("three slow peeks in a row make it slow; a quick one or a read begins the count again", () => {
    const pacing = new ClaimPacing(0);
    for (const tookMs of [20, 20, 5, 20, 20]) pacing.noteEmptyPeek(tookMs);
    expect(pacing.isSlow).toBe(false);
    pacing.beginRead();
    pacing.noteEmptyPeek(20);
    expect(pacing.isSlow).toBe(false);
    pacing.noteEmptyPeek(20);
    pacing.noteEmptyPeek(20);
    expect(pacing.isSlow).toBe(true);
  });

  test("long reads of a whole page show a scan, until one is short or a list of many rows is quick", () => {
    const pacing = new ClaimPacing(0);
    const read = (tookMs: number, full = true) => pacing.noteRead({ more: true, tookMs, found: 5, full });
    read(200);
    expect(pacing.isScanning).toBe(false);
    read(201);
    expect(pacing.isScanning).toBe(true);
    pacing.noteListed(50);
    expect(pacing.isScanning).toBe(true);
    pacing.noteListed(49);
    expect(pacing.isScanning).toBe(false);
    read(300);
    read(300, false);
    expect(pacing.isScanning).toBe(false);
  });

  test("rests twice as long as fruitless reads take, where these are slow, and 5 s at most", () => {
    const pacing = new ClaimPacing(0);
    const fruitless = (tookMs: number) => pacing.noteRead({ more: false, tookMs, found: 0, full: false });
    fruitless(400);
    expect([pacing.afterReadMs(9000), pacing.afterPeekMs], "one may be the machine's fault").toEqual([250, 250]);
    fruitless(600);
    expect([pacing.afterReadMs(9000), pacing.afterPeekMs]).toEqual([800, 800]);
    pacing.noteEmptyPeek(9000);
    pacing.noteEmptyPeek(8000);
    expect([pacing.afterReadMs(9000), pacing.afterPeekMs]).toEqual([5000, 5000]);
    pacing.noteRead({ more: false, tookMs: 900, found: 5, full: false });
    pacing.noteFound(10_000);
    expect(pacing.afterReadMs(10_000)).toBe(1);
  });

  test("reads at once after a quick read that found a few, and waits after the next", () => {
    const pacing = new ClaimPacing(0);
    const waits = (found: number, tookMs = 1) => {
      pacing.noteRead({ more: false, tookMs, found, full: false });
      return pacing.afterReadMs(0);
    };
    expect([waits(1), waits(4), waits(4), waits(0), waits(0)]).toEqual([0, 1, 0, 1, 1]);
    expect(waits(5), "many come: a wait gathers more of them").toBe(1);
    expect(waits(1, 11), "slow reads").toBe(1);
  });

  test("reads up to four batches at once where a full page takes a scan, and one again when it no longer does", () => {
    const pacing = new ClaimPacing(0);
    const read = (tookMs: number, full = true) => {
      pacing.noteRead({ more: full, tookMs, found: 5, full });
      return pacing.batches;
    };
    expect([read(51), read(51), read(51), read(30), read(24), read(24)]).toEqual([2, 4, 4, 4, 2, 1]);
    expect(read(900, false), "few rows were found").toBe(1);
  });

  test("waits a tenth of the idle time after a read, between 1 and 250 ms", () => {
    const pacing = new ClaimPacing(1000);
    expect(pacing.afterReadMs(1000)).toBe(1);
    expect(pacing.afterReadMs(1500)).toBe(50);
    expect(pacing.afterReadMs(60_000)).toBe(250);
  });

  test("reads again from the watermark at most once a second, and for at most a twentieth of the time", () => {
    const pacing = new ClaimPacing(0);
    expect(pacing.mayReread(0)).toBe(true);
    pacing.noteReread({ startedMs: 0, nowMs: 10 });
    expect(pacing.mayReread(1009)).toBe(false);
    expect(pacing.mayReread(1010)).toBe(true);
    pacing.noteReread({ startedMs: 1010, nowMs: 1510 });
    expect(pacing.mayReread(11_509)).toBe(false);
    expect(pacing.mayReread(11_510)).toBe(true);
  });

  test("asks for writers four times a second, and once a second while nothing comes", () => {
    const pacing = new ClaimPacing(0);
    const askedAt = (times: number[]) =>
      times.filter((nowMs) => {
        const turn = pacing.isWritersTurn(nowMs);
        if (turn) pacing.noteWritersAsked(nowMs);
        return turn;
      });
    expect(askedAt([1, 2, 250, 251, 300])).toEqual([1, 251]);
    expect(askedAt([3001, 3251, 4000, 4001, 4500])).toEqual([3001, 4001]);
  });

  describe("between claims of retries", () => {
    const claimed = { messages: 64, limit: 64, unlisted: false, tookMs: 4 };

    test("waits until one is due, and a little after a claim that found none", () => {
      const pacing = new ClaimPacing(0);
      expect(pacing.retryInMs(30, 5000)).toBe(30);
      pacing.noteRetriesClaimed({ ...claimed, messages: 0, nowMs: 5000 });
      expect(pacing.retryInMs(-5, 5000)).toBe(50);
    });

    test("leaves three quarters of the time to new messages while these come", () => {
      const pacing = new ClaimPacing(0);
      pacing.noteRetriesClaimed({ ...claimed, nowMs: 5000 });
      expect(pacing.retryInMs(-5, 5000)).toBe(0);
      pacing.noteFound(5000);
      pacing.noteRetriesClaimed({ ...claimed, nowMs: 5000 });
      expect(pacing.retryInMs(-5, 5000)).toBe(12);
    });

    test("looks for more for two seconds after those that the list did not have", () => {
      const pacing = new ClaimPacing(0);
      pacing.noteRetriesClaimed({ ...claimed, messages: 20, unlisted: true, nowMs: 5000 });
      expect(pacing.retryInMs(Number.POSITIVE_INFINITY, 5000)).toBe(50);
      expect(pacing.retryInMs(Number.POSITIVE_INFINITY, 6999)).toBeLessThanOrEqual(0);
      expect(pacing.retryInMs(Number.POSITIVE_INFINITY, 7000)).toBe(Number.POSITIVE_INFINITY);
    });
  });

  test("doubles the wait with each error in a row, up to five seconds, with half of it left to chance", () => {
    const pacing = new ClaimPacing(0);
    expect([pacing.afterErrorMs(1), pacing.afterErrorMs(1), pacing.afterErrorMs(0)]).toEqual([100, 200, 200]);
    for (let times = 0; times < 20; times += 1) pacing.afterErrorMs(1);
    expect(pacing.afterErrorMs(1)).toBe(5000);
    expect(pacing.errors).toBe(24);
    pacing.noteStep();
    expect(pacing.afterErrorMs(1)).toBe(100);
  });
});
