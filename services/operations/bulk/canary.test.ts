import { expect, test } from "vitest";
import { type BulkProgress, FIRST_PROGRESS } from "./bulk-progress.ts";
import { watchCanary } from "./canary.ts";

const JUDGE = { halts: () => null };

function progressed(from: BulkProgress, counts: BulkProgress["counts"]) {
  return watchCanary({ ...from, counts }, 10, JUDGE);
}

test("the rest waits until the outcome of every message of the canary is known", () => {
  const begun = progressed(FIRST_PROGRESS, { left: 60 });
  expect(begun.room).toBe(10);
  const halfway = progressed(begun.progress, { left: 56, released: 4 });
  expect(halfway.room).toBe(6);
  const sent = progressed(halfway.progress, { left: 50, released: 3, published: 7 });
  expect([sent.room, sent.passed]).toEqual([0, undefined]);
  const passed = progressed(sent.progress, { left: 50, published: 10 });
  expect([passed.room, passed.passed]).toEqual([Number.POSITIVE_INFINITY, true]);
  expect(passed.progress.timeline[0]?.text).toBe("Canary: 10 of 10 published");
});

test("an action that was done although its answer was lost belongs to the canary", () => {
  const begun = progressed(FIRST_PROGRESS, { left: 60 });
  const passed = progressed(begun.progress, { left: 49, published: 11 });
  expect(passed.progress.canary).toMatchObject({ size: 11, published: 11, passed: true });
  expect(passed.progress.timeline[0]?.text).toBe("Canary: 11 of 11 published");
});
