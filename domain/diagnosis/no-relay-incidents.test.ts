import { expect, test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, BREAKER, judged, NONE, RELAY, relays, waits } from "./situation.fixture.ts";

/** The process that runs, and three before it that were killed, one after the other. */
const LOOP = [
  { ...RELAY, startedAt: ago(4) },
  ...[12, 28, 44].map((seconds) => ({ ...RELAY, startedAt: ago(seconds + 6), heartbeatAt: ago(seconds) })),
];

/** Relays that are gone, or die again and again. */
const INCIDENTS: Incident[] = [
  [
    "a relay that crashes again and again, and has just started once more",
    { figures: waits(9, 8), facts: { relays: relays({ startedAt: ago(4) }, { instances: LOOP }) } },
    "relay_crashes",
    "at_risk",
    "warn",
    /^the relay keeps crashing: 3 processes ended without a clean stop since 02:59:16 UTC; 9 wait; the last one ran for 6\.0 s$/,
  ],
  [
    "a relay that crashes again and again, and is gone",
    { figures: waits(9, 28), facts: { relays: relays({}, { instances: LOOP.slice(1) }) } },
    "relay_crashes",
    "not_delivering",
    "fail",
    /^the relay keeps crashing: 3 processes ended without a clean stop since 02:59:16 UTC; 9 wait; no relay is alive; the last one ran for 6\.0 s$/,
  ],
  [
    "a loop in which one restart was slow lasts from its first death",
    {
      facts: {
        relays: relays(
          { startedAt: ago(4) },
          {
            instances: [...LOOP, { ...RELAY, startedAt: ago(90), heartbeatAt: ago(80) }],
          },
        ),
      },
    },
    "relay_crashes",
    "at_risk",
    "warn",
    /^the relay keeps crashing: 4 processes ended without a clean stop since 02:58:40 UTC; the last one ran for 6\.0 s$/,
  ],
  [
    "a relay whose platform waits longer before each restart",
    {
      facts: {
        relays: relays(
          { startedAt: ago(4) },
          {
            instances: [60, 120, 180, 240, 300].map((seconds) => ({
              ...RELAY,
              startedAt: ago(seconds + 8),
              heartbeatAt: ago(seconds),
            })),
          },
        ),
      },
    },
    "relay_crashes",
    "not_delivering",
    "fail",
    /^the relay keeps crashing: 5 processes ended without a clean stop since 02:55:00 UTC; no relay is alive; the last one ran for 8\.0 s$/,
  ],
  [
    "three relays of one host that failed",
    {
      figures: waits(9, 28),
      facts: { relays: relays({}, { instances: LOOP.slice(1).map((one) => ({ ...one, startedAt: ago(3600) })) }) },
    },
    "no_relay_alive",
    "not_delivering",
    "fail",
    /^no relay is alive since 02:59:48 UTC; 9 wait$/,
  ],
  [
    "a worker that was stopped while its sink was down",
    {
      figures: waits(4, 2),
      facts: { relays: relays({ state: "stopped", heartbeatAt: ago(3), breaker: BREAKER }) },
    },
    "no_relay_alive",
    "not_delivering",
    "fail",
    /^no relay is alive, and the last one stopped at 02:59:57 UTC; 4 wait; when it was last heard, the sink gateway cannot be reached \(connection refused\)$/,
  ],
  [
    "paused, and the relay is dead",
    {
      figures: waits(211, 20),
      facts: { relays: relays({ heartbeatAt: ago(40) }, { pause: { reason: "move", by: "Chidi", until: null } }) },
    },
    "no_relay_alive",
    "not_delivering",
    "fail",
    /^no relay is alive since 02:59:20 UTC; 211 wait; also paused by Chidi: move$/,
  ],
  [
    "a worker that was stopped cleanly a moment ago",
    { figures: waits(4, 2), facts: { relays: relays({ state: "stopped", heartbeatAt: ago(3) }) } },
    "no_relay_alive",
    "at_risk",
    "warn",
    /^the relay is restarting: it stopped cleanly at 02:59:57 UTC, and another is expected within 10 s; 4 wait$/,
  ],
  [
    "a worker that was stopped cleanly and not replaced",
    { figures: waits(4, 12), facts: { relays: relays({ state: "stopped", heartbeatAt: ago(12) }) } },
    "no_relay_alive",
    "not_delivering",
    "fail",
    /^no relay is alive, and the last one stopped at 02:59:48 UTC; 4 wait$/,
  ],
  [
    "a database that answers again, and a relay that was alive until it did not",
    {
      figures: waits(4, 40),
      outage: { seconds: 38, endedSeconds: 2 },
      facts: {
        relays: relays({ heartbeatAt: ago(41) }),
        monitor: { alive: false, lastSeenAt: ago(44), problem: null },
      },
    },
    "no_relay_alive",
    "at_risk",
    "warn",
    /^the database answers again, but no relay has reported yet; 4 wait$/,
  ],
  [
    "a table that fits its mapping again, and a relay that stopped because of it",
    {
      figures: waits(4, 40),
      outage: { seconds: 38, endedSeconds: 14, of: "table" },
      facts: { relays: relays({ heartbeatAt: ago(54) }) },
    },
    "no_relay_alive",
    "at_risk",
    "warn",
    /^the outbox can be read again, but no relay has resumed yet; 4 wait$/,
  ],
  [
    "a database that takes writes again, and a relay that could not say that it runs",
    {
      figures: waits(4, 40),
      outage: { seconds: 30, endedSeconds: 2, of: "writes" },
      facts: { relays: relays({ heartbeatAt: ago(35) }) },
    },
    "no_relay_alive",
    "at_risk",
    "warn",
    /^the database takes writes again, but no relay has reported yet; 4 wait$/,
  ],
  [
    "a relay that had died before the database did not answer",
    {
      figures: waits(4, 90),
      outage: { seconds: 38, endedSeconds: 2 },
      facts: { relays: relays({ heartbeatAt: ago(90) }) },
    },
    "no_relay_alive",
    "not_delivering",
    "fail",
    /^no relay is alive since 02:58:30 UTC; 4 wait$/,
  ],
  [
    "a relay that is not back long after the database is",
    {
      figures: waits(4, 50),
      outage: { seconds: 30, endedSeconds: 11 },
      facts: { relays: relays({ heartbeatAt: ago(42) }) },
    },
    "no_relay_alive",
    "not_delivering",
    "fail",
    /^no relay is alive since 02:59:18 UTC; 4 wait$/,
  ],
  [
    "no relay has ever run",
    { facts: { relays: { instances: [], pause: null, partial: NONE } } },
    "no_relay_alive",
    "not_delivering",
    "fail",
    /^no relay is alive, and none has ever run$/,
  ],
  [
    "no relay has ever run, and what waits is scheduled for later",
    { figures: { waiting: 3 }, facts: { relays: { instances: [], pause: null, partial: NONE } } },
    "no_relay_alive",
    "not_delivering",
    "fail",
    /^no relay is alive, and none has ever run; 3 wait, none of them due yet$/,
  ],
  [
    "our own tables were dropped while a relay ran",
    { figures: waits(12, 3), facts: { relays: null } },
    "no_relay_alive",
    "not_delivering",
    "fail",
    /^the console's own tables are not in this database, and no relay can run without them; 12 wait$/,
  ],
  [
    "our own tables are of an earlier version, whose relays may publish",
    { settings: { ownTablesOlder: true }, figures: waits(12, 3), facts: { relays: null } },
    "no_relay_alive",
    "unknown",
    "warn",
    /^the console's own tables in this database are older than this program, so what the relays do is not known; 12 wait$/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);

test("three relays that were killed and started again by hand are no loop, and one that runs again has ended it", () => {
  const apart = [20, 50, 80].map((seconds) => ({ ...RELAY, startedAt: ago(seconds + 6), heartbeatAt: ago(seconds) }));
  for (const instances of [
    [{ ...RELAY, startedAt: ago(10) }, ...apart],
    [{ ...RELAY, startedAt: ago(31) }, ...LOOP.slice(1)],
  ])
    expect(judged({ facts: { relays: relays({}, { instances }) } }).causes).toEqual([]);
});
