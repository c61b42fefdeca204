import { expect, test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, type Change, CLAIMS, due, judged, relays, waits } from "./situation.fixture.ts";

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
    "a backlog that the database estimates",
    { figures: waits(50_000, 70, { waitingEstimated: true }), facts: { waiting: due(50_000, 70) } },
    "overdue",
    "late",
    "warn",
    /; about 50,000 wait/,
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
    "in_part",
    "warn",
    /^some deliveries fail \(No stream takes the subject "t\.ping"\), .*; 9 wait; others flow$/,
  ],
  [
    "rows that someone else marked are no failed attempt",
    {
      figures: waits(9, 70, { inPerSecond: 2, outPerSecond: 2 }),
      facts: {
        waiting: due(9, 70),
        relays: relays({
          lastError: "Something else marks messages of this table as published: 5 of 5 were never claimed here.",
          lastErrorAt: ago(12),
        }),
      },
    },
    "overdue",
    "late",
    "warn",
    /^the oldest message has been due since [^;]+; 9 wait(?!.*Something else)/,
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
  [
    "a sink that could not be reached is over, as messages got through since",
    {
      figures: waits(9, 70, { inPerSecond: 2, outPerSecond: 2 }),
      facts: {
        waiting: due(9, 70),
        relays: relays({ lastError: "connect ECONNREFUSED 127.0.0.1:8080", lastErrorAt: ago(30) }),
      },
    },
    "overdue",
    "late",
    "warn",
    /9 wait$/,
  ],
  [
    "a relay that has just fallen silent is named with it",
    { figures: waits(26, 70), facts: { waiting: due(26, 70), relays: relays({ heartbeatAt: ago(6) }) } },
    "overdue",
    "late",
    "warn",
    /26 wait; the relay was last heard 6\.0 s ago$/,
  ],
  [
    "slow marks are named, although the sink confirmed what waits",
    {
      figures: waits(24, 70, { inPerSecond: 4, outPerSecond: 3 }),
      facts: { waiting: due(24, 70), relays: relays({ settlingSince: ago(4) }) },
    },
    "overdue",
    "late",
    "warn",
    /24 wait; marking what was published has taken 4\.0 s so far; growing by 60 a minute$/,
  ],
  [
    "a large transaction that has just been committed is not judged by the rates before it",
    {
      figures: waits(200_000, 70, { inPerSecond: 46, outPerSecond: 47, waitingBefore: 12 }),
      facts: { waiting: due(200_000, 70), relays: relays({ inFlight: 64 }) },
    },
    "overdue",
    "late",
    "warn",
    /^the oldest message has been due since 02:58:50 UTC; 200,000 wait$/,
  ],
  [
    "a large transaction of which only so many are counted is not said to take hours",
    {
      figures: waits(50_000, 70, { inPerSecond: 46, outPerSecond: 47, waitingBefore: 12, waitingCapped: true }),
      facts: { waiting: due(50_000, 70), relays: relays({ inFlight: 64 }) },
    },
    "overdue",
    "late",
    "warn",
    /^the oldest message has been due since 02:58:50 UTC; at least 50,000 wait$/,
  ],
  [
    "a sink that refuses message after message is not said to leave them unanswered",
    {
      figures: waits(900, 70, { inPerSecond: 10, outPerSecond: 0 }),
      facts: {
        waiting: due(900, 70),
        relays: relays({ inFlight: 64, lastPublishedAt: ago(8), lastError: "HTTP 422", lastErrorAt: ago(1) }),
      },
    },
    "overdue",
    "not_delivering",
    "warn",
    /900 wait; the last failed attempt: HTTP 422$/,
  ],
  [
    "a slow sink is named with the time that it takes",
    {
      figures: waits(110, 70, { inPerSecond: 20, outPerSecond: 13 }),
      facts: { waiting: due(110, 70), relays: relays({ inFlight: 20 }) },
    },
    "overdue",
    "late",
    "warn",
    /110 wait; the sink gateway takes about 1\.5 s a message; growing by 420 a minute$/,
  ],
  [
    "a slow sink is named also when what it had has just come back at once",
    {
      figures: waits(110, 70, { inPerSecond: 20, outPerSecond: 13, waitingBefore: 118 }),
      facts: { waiting: due(110, 70), relays: relays({ inFlight: 20 }) },
    },
    "overdue",
    "late",
    "warn",
    /110 wait; the sink gateway takes about 1\.5 s a message$/,
  ],
  [
    "a fast sink with many messages is not called slow",
    {
      figures: waits(900, 70, { inPerSecond: 2000, outPerSecond: 1900 }),
      facts: { waiting: due(900, 70), relays: relays({ inFlight: 64 }) },
    },
    "overdue",
    "late",
    "warn",
    /900 wait; growing by 6,000 a minute$/,
  ],
  [
    "a burst drains no slower than the figures show, whatever the mean rate says, and its sink is not slow",
    {
      figures: waits(14_295, 70, { inPerSecond: 0, outPerSecond: 50, waitingBefore: 24_495 }),
      facts: { waiting: due(14_295, 70), relays: relays({ inFlight: 64 }) },
    },
    "overdue",
    "late",
    "warn",
    /^done in about 8\.4 s; 14,295 wait$/,
  ],
  [
    "a backlog that is not counted to its end takes an estimated time, or more",
    {
      figures: waits(50_000, 70, { inPerSecond: 0, outPerSecond: 500, waitingBefore: 50_000, waitingCapped: true }),
      facts: { waiting: due(50_000, 70), relays: relays({ inFlight: 64 }) },
    },
    "overdue",
    "late",
    "warn",
    /^done in about 1 m 40 s or more; at least 50,000 wait$/,
  ],
  [
    "rates of before the burst do not make a backlog drain that has grown since",
    {
      figures: waits(48, 70, { inPerSecond: 0, outPerSecond: 0.3, waitingBefore: 12 }),
      facts: { waiting: due(48, 70) },
    },
    "overdue",
    "late",
    "warn",
    /^the oldest message has been due since .*; 48 wait$/,
  ],
  [
    "another program's rate, which is inferred, is seldom exactly zero once it publishes nothing",
    {
      settings: { mode: "observe" },
      figures: waits(163, 70, { inPerSecond: 5, outPerSecond: 0.1, waitingBefore: 140 }),
      facts: { relays: null, waiting: due(163, 70) },
    },
    "overdue",
    "not_delivering",
    "warn",
    /^almost nothing is published, and messages have been due since .*; 163 wait$/,
  ],
  [
    "another program that publishes as little as comes in delivers",
    {
      settings: { mode: "observe" },
      figures: waits(2, 70, { inPerSecond: 0.1, outPerSecond: 0.1, waitingBefore: 1 }),
      facts: { relays: null, waiting: due(2, 70) },
    },
    "overdue",
    "late",
    "warn",
    /^the oldest message has been due since .*; 2 wait$/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);

test.each<[string, Change, RegExp]>([
  [
    "a slow sink",
    { figures: { inPerSecond: 20, outPerSecond: 13 }, facts: { relays: relays({ inFlight: 20 }) } },
    /^See why the receiver takes so long: .*only if more aggregates wait/,
  ],
  [
    "a slow sink without order",
    { figures: { outPerSecond: 13 }, facts: { relays: relays({ inFlight: 20, ordering: "none" }) } },
    /a message\. Another worker or a higher relay\.concurrency/,
  ],
  [
    "failed attempts",
    { facts: { relays: relays({ lastError: "HTTP 401: bad key", lastErrorAt: ago(2) }) } },
    /^Read the last failed attempt first\. If it concerns the waiting messages, fix at the receiver/,
  ],
  [
    "outcomes that the database does not take",
    {
      facts: {
        relays: relays({
          lastError:
            "Outcomes of 26 messages could not be written for 2 s: the database has not answered yet; another session may hold their rows.",
          lastErrorAt: ago(2),
          lastPublishedAt: ago(9),
        }),
      },
    },
    /^See first whether the relay reaches the database/,
  ],
  [
    "a relay that has just fallen silent",
    { facts: { relays: relays({ heartbeatAt: ago(6), settlingSince: ago(9) }) } },
    /^Check that the relay's process runs .* last heard 6\.0 s ago\./,
  ],
  [
    "slow marks",
    { facts: { relays: relays({ settlingSince: ago(4) }) } },
    /^Find out why the database is slow to mark/,
  ],
  [
    "a row that was old when it was committed, or one that is stuck while others go out",
    { figures: { waiting: 1, inPerSecond: 6, outPerSecond: 6 } },
    /^Open the oldest message and .* rows commit late: .* If it is still there, its page says why/,
  ],
  ["nothing but lateness", {}, /^Compare in and out on Overview/],
])("what is late by %s needs the step for it", (_, { figures, facts }, step) => {
  const late = { figures: { ...waits(110, 70), ...figures }, facts: { waiting: due(110, 70), ...facts } };
  expect(judged(late).causes[0]?.nextStep).toMatch(step);
});

test.each([
  ["aggregate", /start another worker .*; messages of one aggregate go out one at a time/],
  ["none", /start another worker or wait until they slow down\. /],
])("another worker helps a relay whose order is %s as far as that allows", (ordering, step) => {
  const facts = { waiting: due(110, 70), relays: relays({ ordering }) };
  expect(judged({ figures: waits(110, 70), facts }).causes[0]?.nextStep).toMatch(step);
});
