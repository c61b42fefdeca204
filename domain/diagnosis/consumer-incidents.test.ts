import { expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";
import type { ConsumerFacts, ConsumersFacts } from "./facts/consumers.ts";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ASOF, ago, judged, situation } from "./situation.fixture.ts";

const LOYALTY: ConsumerFacts = {
  ...{ inbox: "loyalty", withinSeconds: 300, notProcessed: 312, capped: false },
  reasons: { absent: 300, unprocessed: 11, failed: 1 },
  oldest: { publishedSeconds: 7_500, atLeast: false, overdueAt: ago(7_200) },
  checked: { at: ASOF, checked: 12_400, from: ago(90_000), to: ASOF, whole: true },
  rows: { checked: 500, unmatched: 0 },
};
const consumers = (change: Partial<ConsumerFacts> = {}, unchecked = 0): ConsumersFacts => ({
  checks: [{ ...LOYALTY, ...change }],
  unchecked,
});

/** What the inboxes of an outbox show. */
const INCIDENTS: Incident[] = [
  [
    "published messages that a consumer has not processed",
    { facts: { consumers: consumers() } },
    "not_processed",
    "at_risk",
    "warn",
    /^the consumer of inbox loyalty has not processed 312 messages that were published more than 5 m ago; the oldest was published 2 h 05 m ago; 300 have no row in the inbox, 11 wait there, 1 failed there$/,
  ],
  [
    "more than were looked up",
    { facts: { consumers: consumers({ capped: true, reasons: { absent: 312, unprocessed: 0, failed: 0 } }) } },
    "not_processed",
    "at_risk",
    "warn",
    /^the consumer of inbox loyalty has not processed at least 312 messages .*; 312 have no row in the inbox$/,
  ],
  [
    "inbox rows of no known message",
    { facts: { consumers: consumers({ notProcessed: 0, rows: { checked: 500, unmatched: 1 } }) } },
    "unmatched_rows",
    "at_risk",
    "warn",
    /^1 of the newest 500 rows of inbox loyalty names a message that is in none of its outboxes$/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);

test("without a time of publication its age is a least one", () => {
  const oldest = { publishedSeconds: 400, atLeast: true, overdueAt: ago(100) };
  const { causes } = judged({ facts: { consumers: consumers({ oldest }) } });
  expect(causes[0]?.sentence).toContain("the oldest was published at least 6 m 40 s ago");
});

test("a consumer that has processed everything is no cause", () => {
  expect(judged({ facts: { consumers: consumers({ notProcessed: 0 }) } }).causes).toEqual([]);
});

test("without a limit, or with an inbox that could not be read, nothing counts as checked", () => {
  const unread = (facts: ConsumersFacts | null) => diagnose(situation({ facts: { consumers: facts } })).unread;
  expect(unread(consumers())).toEqual([]);
  expect(unread(null)).toEqual(["not_processed", "unmatched_rows"]);
  expect(unread(consumers({}, 1))).toEqual(["not_processed", "unmatched_rows"]);
  expect(unread(consumers({ rows: null }))).toEqual(["unmatched_rows"]);
});
