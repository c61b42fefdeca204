import { test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, due, relays, waits } from "./situation.fixture.ts";

/** Clocks that are wrong, and messages for another time. */
const INCIDENTS: Incident[] = [
  [
    "messages of the future",
    { facts: { clockSkew: { messages: 1, capped: false, latestAt: ago(-3600) } } },
    "clock_skew",
    "at_risk",
    "warn",
    /^1 message has a creation time in the future, by up to 1 h 00 m,/,
  ],
  [
    "a relay host ahead",
    { facts: { relays: relays({ clockOffsetMs: 180_000 }) } },
    "clock_skew",
    "at_risk",
    "warn",
    /^the clock of relay host shop-1 is 3 m 00 s ahead of the database's/,
  ],
  [
    "the console's clock behind",
    { facts: { consoleClock: { offsetMs: -180_000 } } },
    "clock_skew",
    "at_risk",
    "warn",
    /^the clock of this console's host is 3 m 00 s behind the database's/,
  ],
  [
    "a message scheduled for 2057",
    { facts: { scheduledFar: { messages: 3, capped: false, latestAt: "2057-01-01T00:00:00Z" } } },
    "scheduled_far",
    "at_risk",
    "warn",
    /^3 messages are scheduled more than 7 d ahead; the furthest for 2057-01-01 00:00:00 UTC$/,
  ],
  [
    "a message of 1970",
    {
      figures: {
        ...waits(4, 56 * 365 * 86_400, { inPerSecond: 0, outPerSecond: 0 }),
        oldestDueAt: "1970-01-01T00:00:00Z",
      },
      facts: { waiting: due(4, 4_000), relays: null },
      settings: { mode: "observe" },
    },
    "overdue",
    "not_delivering",
    "fail",
    /^nothing is published, and messages have been due since 03:00:00 UTC; 4 wait; the oldest says 1970-01-01 00:00:00 UTC, which is no real time$/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);
