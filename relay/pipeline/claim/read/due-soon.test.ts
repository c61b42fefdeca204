import { expect, test, vi } from "vitest";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { DueSoon } from "./due-soon.ts";

const at = (n: number): OrderKey => [String(n), String(n)];

test("a row may be due from when the question was asked, and is until a read that began after the answer", () => {
  const due = new DueSoon(compareOrder, () => undefined);
  due.note([{ order: at(7), inMs: 500 }], { askedMs: 1000, answeredMs: 1040 });
  expect([due.first(1499), due.first(1500)]).toEqual([null, at(7)]);
  // Its database may not have seen it yet.
  due.passed(at(7), 1539);
  expect(due.first(2000)).toEqual(at(7));
  // It began behind it.
  due.passed(at(8), 1540);
  expect(due.first(2000)).toEqual(at(7));
  due.passed(null, 1540);
  expect(due.first(2000)).toBeNull();
});

test("of those that are due the first in order counts, and a later search corrects the time", () => {
  const due = new DueSoon(compareOrder, () => undefined);
  const rows = [9, 3, 5].map((n) => ({ order: at(n), inMs: 100 * n }));
  due.note(rows, { askedMs: 0, answeredMs: 0 });
  expect([due.first(500), due.first(900)]).toEqual([at(3), at(3)]);
  due.note([{ order: at(3), inMs: 5000 }], { askedMs: 0, answeredMs: 0 });
  expect(due.first(900)).toEqual(at(5));
});

test("it wakes the relay when the next row is due for certain", () => {
  vi.useFakeTimers();
  try {
    const woken = vi.fn();
    const due = new DueSoon(compareOrder, woken);
    const nowMs = performance.now();
    due.note([{ order: at(1), inMs: 700 }], { askedMs: nowMs - 50, answeredMs: nowMs });
    vi.advanceTimersByTime(699);
    expect(woken).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(woken).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});
