import { test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, CLAIMS, waits } from "./situation.fixture.ts";

/** What cannot be told, because it cannot be read or nobody watches. */
const INCIDENTS: Incident[] = [
  [
    "rows of an unknown status",
    { facts: { unknownWords: [{ word: "PARKED", messages: 37, capped: false }] } },
    "unknown_status",
    "unknown",
    "warn",
    /^37 messages have the status "PARKED", which the mapping does not name$/,
  ],
  [
    "rows whose marks disagree",
    { figures: { unknown: 1 } },
    "unknown_status",
    "unknown",
    "warn",
    /^1 message is in a state that the mapping does not name$/,
  ],
  [
    "counts that cannot be read",
    { figures: { waitingKnown: false } },
    "not_known",
    "unknown",
    "warn",
    /^how many messages wait, and since when, is not known: no index/,
  ],
  [
    "rows of a standby that stands still",
    { figures: { waitingKnown: false, standsStill: true, unknownBecause: "its rows are those of 10:00" } },
    "not_known",
    "unknown",
    "warn",
    /^how many messages wait, and since when, is not known: its rows are those of 10:00$/,
  ],
  [
    "ages that cannot be computed",
    { figures: { waiting: 12, agesKnown: false } },
    "not_known",
    "unknown",
    "warn",
    /^the age of waiting messages is not known: no column says when they were created; 12 wait$/,
  ],
  [
    "ages that cannot be computed, while nothing goes out",
    {
      settings: { mode: "observe" },
      figures: { waiting: 12, agesKnown: false, outPerSecond: 0 },
      facts: { relays: null },
    },
    "not_known",
    "unknown",
    "warn",
    /when they were created; 12 wait; nothing is published$/,
  ],
  [
    "messages that a table only marks as claimed, whenever that was",
    { figures: waits(20, 30), facts: { expiredClaims: { ...CLAIMS, claimedAtKnown: false } } },
    "expired_claim",
    "unknown",
    "warn",
    /^20 messages are marked as claimed and were created more than 5 m ago; the age of the claim is not known$/,
  ],
  [
    "no monitor",
    { facts: { monitor: { alive: false, lastSeenAt: ago(400), problem: null } } },
    "monitor_down",
    "at_risk",
    "warn",
    /^no monitor runs, so charts and rates are not updated since 02:53:20 UTC$/,
  ],
  [
    "a monitor that may not write into the console's own database",
    {
      facts: {
        monitor: {
          alive: false,
          lastSeenAt: ago(40),
          problem: "The database user of the console lacks the permission for this (permission denied).",
        },
      },
    },
    "monitor_down",
    "at_risk",
    "warn",
    /^charts, findings and alerts are not updated \(The database user of the console lacks the permission/,
  ],
  [
    "a monitor that is alive and may not write its findings",
    {
      facts: {
        monitor: {
          alive: true,
          lastSeenAt: ago(1),
          problem: "The console's own table finding is not in the database.",
        },
      },
    },
    "monitor_down",
    "at_risk",
    "warn",
    /^charts, findings and alerts are not updated \(The console's own table finding is not in the database\.?\) since 03:00:00 UTC$/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);
