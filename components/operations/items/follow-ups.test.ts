import { expect, test } from "vitest";
import type { ItemCounts } from "#contracts/message/operations.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import { NO_ITEMS, sampleBulk } from "../preview/sample-bulk.fixture.ts";
import { restOf, undoOf } from "./follow-ups.ts";

const ID = "018f6c2c-9f5e-7c44-b1d2-51aa90e10e31";
const ended = (action: MessageAction, counts: Partial<ItemCounts>) => ({
  id: ID,
  action,
  bulk: sampleBulk({ state: "finished" }, { ...NO_ITEMS, ...counts }),
});

test("the rest is what failed again, was skipped or cancelled; not what was refused", () => {
  const rest = restOf(ended("retry", { selected: 50, published: 5, failed_again: 31, skipped: 9, refused: 5 }));
  expect(rest?.count).toBe(40);
  expect(rest?.ask).toMatchObject({
    action: "retry",
    select: { itemsOf: { operation: ID, outcomes: ["failed_again", "skipped"] } },
  });
  expect(rest?.ask.words).toContain("31 failed again, 9 skipped");
});

test("nothing is offered while it runs, nor when nothing is left", () => {
  expect(restOf({ id: ID, action: "retry", bulk: sampleBulk() })).toBeUndefined();
  expect(restOf(ended("retry", { selected: 5, published: 5 }))).toBeUndefined();
  expect(restOf({ id: ID, action: "retry", bulk: null })).toBeUndefined();
});

test("a dead-letter is undone by a retry and an archive by a restore, of what was done; a retry cannot be undone", () => {
  expect(undoOf(ended("dead-letter", { selected: 46, done: 46 }))?.ask).toMatchObject({
    action: "retry",
    pace: { canary: "0" },
  });
  const undo = undoOf(ended("archive", { selected: 9, done: 7, skipped: 2 }));
  expect(undo).toMatchObject({
    count: 7,
    ask: { action: "restore", select: { itemsOf: { operation: ID, outcomes: ["done"] } } },
  });
  expect(undo?.ask.pace).toBeUndefined();
  expect(undoOf(ended("retry", { selected: 5, published: 5 }))).toBeUndefined();
  expect(undoOf(ended("archive", { selected: 2, skipped: 2 }))).toBeUndefined();
});
