import { expect, test } from "vitest";
import type { InboxSummary } from "#contracts/outbox/inboxes.ts";
import { inboxCheck } from "./inbox-check.ts";

type Figures = NonNullable<InboxSummary["figures"]>;

const check = (figures: Partial<Figures> | null, problem: string | null = null) => {
  const whole: Figures | null = figures && {
    asOf: "2026-11-29T12:00:00.000000Z",
    total: { value: 9, precision: "exact" },
    unprocessed: { value: 0, precision: "exact" },
    failed: { value: 0, precision: "exact" },
    oldestUnprocessedSeconds: null,
    lastProcessedAt: null,
    perMinute: null,
    ...figures,
  };
  const { status, observedValue, output } = inboxCheck(
    { figures: whole, problem },
    { isHidden: false, previous: "pass" },
  );
  return [status, observedValue, output];
};

test("an inbox in which nothing waits passes, and an old message warns and fails", () => {
  expect(check({})).toEqual(["pass", 0, "Nothing waits to be processed."]);
  const waiting = (seconds: number) =>
    check({ unprocessed: { value: 3, precision: "exact" }, oldestUnprocessedSeconds: seconds }).slice(0, 2);
  expect([12, 70, 301].map(waiting)).toEqual([
    ["pass", 12],
    ["warn", 70],
    ["fail", 301],
  ]);
});

test("what is not known is a warning, and no number", () => {
  expect(check({ unprocessed: { value: 0, precision: "unknown" } })).toEqual([
    ...["warn", null, "How many messages wait is not known."],
  ]);
  expect(check(null)).toEqual(["warn", null, "How many messages wait is not known."]);
  expect(check({ unprocessed: { value: 5000, precision: "exact" }, failed: { value: 2, precision: "exact" } })).toEqual(
    [
      "warn",
      null,
      "5,000 messages wait to be processed; for how long is not known, because the table does not show when they came. 2 messages failed.",
    ],
  );
  const many = { value: 10_000, precision: "capped" as const };
  expect(check({ unprocessed: many, oldestUnprocessedSeconds: 4 })).toEqual([
    "warn",
    4,
    "More than 10,000 messages wait to be processed, one of them for 4.0 s; others may wait longer.",
  ]);
});

test("an inbox that cannot be read fails with the reason", () => {
  expect(check(null, "The inbox is gone.")).toEqual(["fail", null, "The inbox is gone."]);
});
