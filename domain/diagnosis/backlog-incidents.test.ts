import { test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, CLAIMS, due, relays, waits } from "./situation.fixture.ts";

/** Messages that wait for too long, where no other rule says why. */
const INCIDENTS: Incident[] = [
  [
    "a burst that drains",
    { figures: waits(3_200, 70, { inPerSecond: 0, outPerSecond: 100 }), facts: { waiting: due(3_200, 70) } },
    "overdue",
    "late",
    "warn",
    /^done in about 32 s; 3,200 wait$/,
  ],
  [
    "a burst that drains too late",
    { figures: waits(3_200, 310, { inPerSecond: 0, outPerSecond: 100 }), facts: { waiting: due(3_200, 310) } },
    "overdue",
    "late",
    "fail",
    /^done in about 32 s; 3,200 wait$/,
  ],
  [
    "a backlog that grows",
    { figures: waits(900, 70, { inPerSecond: 12, outPerSecond: 10 }), facts: { waiting: due(900, 70) } },
    "overdue",
    "late",
    "warn",
    /^the oldest message has been due since 02:58:50 UTC; 900 wait; growing by 120 a minute$/,
  ],
  [
    "a burst that is drained already is not said to grow, although the means of the last seconds do",
    {
      figures: waits(900, 70, { inPerSecond: 400, outPerSecond: 100, waitingBefore: 1200 }),
      facts: { waiting: due(900, 70) },
    },
    "overdue",
    "late",
    "warn",
    /^the oldest message has been due since 02:58:50 UTC; 900 wait$/,
  ],
  [
    "a backlog that stays the same is not said to grow, although values of its sequence are used up",
    {
      figures: waits(900, 70, { inPerSecond: 400, outPerSecond: 100, waitingBefore: 900 }),
      facts: { waiting: due(900, 70) },
    },
    "overdue",
    "late",
    "warn",
    /^the oldest message has been due since 02:58:50 UTC; 900 wait$/,
  ],
  [
    "a backlog of more than is counted may grow while its count stays",
    {
      figures: waits(900, 70, { inPerSecond: 12, outPerSecond: 10, waitingBefore: 1200, waitingCapped: true }),
      facts: { waiting: due(900, 70) },
    },
    "overdue",
    "late",
    "warn",
    /growing by 120 a minute$/,
  ],
  [
    "work waits, nothing goes out, and nothing says why",
    {
      figures: waits(9, 70, { outPerSecond: 0 }),
      facts: { waiting: due(9, 70), relays: null },
      settings: { mode: "observe" },
    },
    "overdue",
    "not_delivering",
    "warn",
    /^nothing is published, and messages have been due since 02:58:50 UTC; 9 wait$/,
  ],
  [
    "a relay that has published since the rate was sampled is not said to publish nothing",
    { figures: waits(9, 4_000, { inPerSecond: 0, outPerSecond: 0 }), facts: { waiting: due(9, 4_000) } },
    "overdue",
    "late",
    "fail",
    /^the oldest message has been due since 01:53:20 UTC; 9 wait$/,
  ],
  [
    "old messages that a table only marks as claimed explain no lateness, and are named",
    { figures: waits(20, 86_400), facts: { expiredClaims: { ...CLAIMS, claimedAtKnown: false } } },
    "overdue",
    "late",
    "fail",
    /20 wait; 20 of them marked as claimed/,
  ],
  [
    "a message that waits without an attempt, which no row counts as failed, is named by the relay's last failure",
    {
      figures: waits(9, 70, { inPerSecond: 2, outPerSecond: 2 }),
      facts: {
        waiting: due(9, 70),
        relays: relays({ lastError: 'No stream takes the subject "t.ping".', lastErrorAt: ago(12) }),
      },
    },
    "overdue",
    "late",
    "warn",
    /9 wait; the last failed attempt: No stream takes the subject "t\.ping"$/,
  ],
  [
    "a refusal of the store that is over, as messages got through since, is not the last failed attempt",
    {
      figures: waits(9, 70, { inPerSecond: 2, outPerSecond: 2 }),
      facts: {
        waiting: due(9, 70),
        relays: relays({ lastError: "Nothing can be claimed: Query read timeout", lastErrorAt: ago(30) }),
      },
    },
    "overdue",
    "late",
    "warn",
    /9 wait$/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);
