import { describe, expect, test } from "vitest";
import { OrderRestart } from "./order-restart.ts";

/** A search that finds rows, which are then read. */
function search(restart: OrderRestart, nowMs: number): boolean {
  restart.noteFound();
  return restart.noteBelow(nowMs);
}

describe("an order that began again", () => {
  test("is noticed by the third search that finds rows where reads from the watermark find none", () => {
    const restart = new OrderRestart();
    expect([0, 1000, 2000, 3000].map((nowMs) => search(restart, nowMs))).toEqual([false, false, true, false]);
  });

  test("is not noticed while rows come above the watermark too", () => {
    const restart = new OrderRestart();
    for (let n = 0; n < 10; n += 1) {
      expect([search(restart, n), search(restart, n)]).toEqual([false, false]);
      restart.noteAbove();
    }
  });

  test("is not noticed by the pages of one search", () => {
    const restart = new OrderRestart();
    expect(search(restart, 0)).toBe(false);
    for (let page = 0; page < 10; page += 1) expect(restart.noteBelow(page)).toBe(false);
  });

  test("is noticed at most once a minute", () => {
    const restart = new OrderRestart();
    const noticed = Array.from({ length: 130 }, (_, second) => second).filter((second) =>
      search(restart, second * 1000),
    );
    expect(noticed).toEqual([2, 62, 122]);
  });
});
