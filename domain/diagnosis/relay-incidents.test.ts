import { expect, test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, BREAKER, due, judged, NONE, RELAY, relays, waits } from "./situation.fixture.ts";

const OTHER_SINK = { ...RELAY, id: "b", host: "shop-2", pid: 77, sinkAddress: "10.0.0.9:80", startedAt: ago(30) };
/** The process that runs, and three before it that were killed, one after the other. */
const LOOP = [
  { ...RELAY, startedAt: ago(4) },
  ...[12, 28, 44].map((seconds) => ({ ...RELAY, startedAt: ago(seconds + 6), heartbeatAt: ago(seconds) })),
];

const REFUSED = {
  settlingSince: ago(9),
  lastErrorAt: ago(1),
  lastError: "Outcomes could not be written: outbox rows are immutable",
};

/** Relays that are gone, paused, not alone or stuck, and their sinks. */
const INCIDENTS: Incident[] = [
  [
    "a foreign relay takes over while ours runs",
    { facts: { relays: relays({ foreignPublished: 870, foreignLastAt: ago(2), foreignSince: ago(14) }) } },
    "foreign_relay",
    "at_risk",
    "warn",
    /^something else marked as published, or removed, at least 870 messages that our relay was sending since 02:59:46 UTC; if it is another relay, consumers get them twice/,
  ],
  [
    "a statement marks rows that nobody has sent, or another relay has sent them",
    { facts: { relays: relays({ foreignUnclaimed: 200, foreignLastAt: ago(2), foreignSince: ago(2) }) } },
    "foreign_relay",
    "at_risk",
    "warn",
    /^something else marked at least 200 messages as published that our relay has not sent since 02:59:58 UTC; another relay sent them, or nobody did$/,
  ],
  [
    "our relay holds for a foreign one",
    { facts: { relays: relays({ state: "holding", lastError: "Something else marked 12 messages" }) } },
    "foreign_relay",
    "not_delivering",
    "fail",
    /^something else marks messages of this table as published, so our relay holds back/,
  ],
  [
    "a relay that publishes nothing",
    {
      figures: waits(9, 80, { outPerSecond: 0 }),
      facts: { waiting: due(9, 80), relays: relays({ lastPublishedAt: ago(90) }) },
    },
    "no_progress",
    "not_delivering",
    "fail",
    /^the relay is alive and publishes nothing since 02:58:40 UTC; 9 wait$/,
  ],
  [
    "a relay that was paused until a moment ago is not said to be stuck",
    {
      figures: waits(9, 80, { outPerSecond: 0 }),
      facts: { waiting: due(9, 80), relays: relays({ lastPublishedAt: ago(90) }, { pausedUntil: ago(2) }) },
    },
    "overdue",
    "not_delivering",
    "warn",
    /^nothing is published, and messages have been due since 02:58:40 UTC; 9 wait$/,
  ],
  [
    "a relay whose sink does not answer",
    {
      figures: waits(9, 80, { outPerSecond: 0 }),
      facts: { waiting: due(9, 80), relays: relays({ lastPublishedAt: ago(90), inFlight: 8 }) },
    },
    "no_progress",
    "not_delivering",
    "fail",
    /publishes nothing: the sink gateway has not confirmed the 8 messages that it was sent since 02:58:40 UTC; 9 wait$/,
  ],
  [
    "one of two relays cannot reach the sink, and the other publishes",
    {
      figures: waits(40, 80, { outPerSecond: 3 }),
      facts: {
        relays: relays(
          { breaker: BREAKER },
          {
            instances: [
              { ...RELAY, breaker: BREAKER },
              { ...RELAY, id: "b", host: "shop-2", pid: 77 },
            ],
          },
        ),
      },
    },
    "sink_unavailable",
    "in_part",
    "warn",
    /^for process 4242 on shop-1 the sink gateway cannot be reached \(connection refused\) since 02:58:00 UTC; process 77 on shop-2 publishes; 40 wait$/,
  ],
  [
    "neither of two relays can reach the sink: since the first failure, whoever was heard last",
    {
      figures: waits(40, 80, { outPerSecond: 0 }),
      facts: {
        relays: relays(
          {},
          {
            instances: [
              { ...RELAY, id: "b", breaker: { ...BREAKER, since: ago(60) } },
              { ...RELAY, breaker: BREAKER, heartbeatAt: ago(2) },
            ],
          },
        ),
      },
    },
    "sink_unavailable",
    "not_delivering",
    "fail",
    /cannot be reached \(connection refused\) since 02:58:00 UTC; 40 wait$/,
  ],
  [
    "a relay that started a moment ago, behind a backlog",
    {
      figures: waits(9, 310, { outPerSecond: 0 }),
      facts: { waiting: due(9, 310), relays: relays({ startedAt: ago(5), lastPublishedAt: null }) },
    },
    "overdue",
    "not_delivering",
    "fail",
    /^nothing is published, and messages have been due since/,
  ],
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
    "two workers whose configuration names different addresses",
    { facts: { relays: relays({}, { instances: [RELAY, OTHER_SINK] }) } },
    "relays_differ",
    "at_risk",
    "warn",
    /^relays of this outbox publish to different addresses: process 4242 on shop-1 to gateway \(127\.0\.0\.1:8080\), process 77 on shop-2 to gateway \(10\.0\.0\.9:80\) since 02:59:30 UTC; unless both lead to the same receiver, each gets a part of the messages$/,
  ],
  [
    "two workers that differ in relay.ordering, and so take each other for a foreign relay",
    {
      figures: waits(10, 80),
      facts: {
        relays: relays(
          {},
          {
            instances: [
              { ...RELAY, foreignUnclaimed: 8, foreignSince: ago(20), foreignLastAt: ago(2) },
              { ...OTHER_SINK, sinkAddress: RELAY.sinkAddress, ordering: "none" },
            ],
          },
        ),
      },
    },
    "relays_differ",
    "in_part",
    "fail",
    /^relays of this outbox differ in relay\.ordering: process 4242 on shop-1 keeps order, process 77 on shop-2 does not since 02:59:30 UTC; some messages are published by both and some by neither; 10 wait$/,
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
    "a batch that is held for long",
    {
      figures: waits(251, 240, { oldestClaimSeconds: 230, outPerSecond: 0 }),
      facts: { relays: relays({ lastPublishedAt: ago(240), lastError: "settle waits for a lock" }) },
    },
    "no_progress",
    "not_delivering",
    "fail",
    /publishes nothing/,
  ],
  [
    "a relay that may not mark what it sends",
    {
      figures: waits(6, 80, { oldestClaimSeconds: 80, outPerSecond: 0 }),
      facts: {
        waiting: due(6, 80),
        relays: relays({
          lastPublishedAt: ago(90),
          settlingSince: ago(80),
          lastErrorAt: ago(1),
          lastError: "Outcomes could not be written: UPDATE command denied to user 'relay' for table 'orders'",
        }),
      },
    },
    "no_progress",
    "not_delivering",
    "fail",
    /^the relay cannot mark what it has published: UPDATE command denied to user 'relay' for table 'orders' since 02:58:40 UTC; 6 wait$/,
  ],
  [
    "a relay whose marks are refused, before its messages are late",
    {
      figures: waits(6, 9, { oldestClaimSeconds: 9 }),
      facts: { waiting: { ...due(6, 9), due: 0 }, relays: relays({ ...REFUSED, lastPublishedAt: ago(40) }) },
    },
    "no_progress",
    "not_delivering",
    "fail",
    /^the relay cannot mark what it has published: outbox rows are immutable since 02:59:51 UTC; 6 wait$/,
  ],
  [
    "a relay of which the store refuses some marks",
    { figures: waits(2, 70), facts: { waiting: due(2, 70), relays: relays(REFUSED) } },
    "no_progress",
    "in_part",
    "warn",
    /^the relay cannot mark some of what it has published: outbox rows are immutable since 02:59:51 UTC; 2 wait$/,
  ],
  [
    "paused on purpose",
    {
      figures: waits(211, 600),
      facts: { relays: relays({ state: "paused" }, { pause: { reason: "move", by: "Chidi", until: ago(-1800) } }) },
    },
    "paused",
    "paused",
    "warn",
    /^by Chidi until 03:30:00 UTC: move; 211 wait$/,
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
    "our own tables were dropped while a relay ran",
    { figures: waits(12, 3), facts: { relays: null } },
    "no_relay_alive",
    "not_delivering",
    "fail",
    /^the console's own tables are not in this database, and no relay can run without them; 12 wait$/,
  ],
  [
    "the sink is down",
    { figures: waits(4_812, 120), facts: { relays: relays({ breaker: BREAKER, lastPublishedAt: ago(120) }) } },
    "sink_unavailable",
    "not_delivering",
    "fail",
    /^the sink gateway cannot be reached \(connection refused\) since 02:58:00 UTC; 4,812 wait$/,
  ],
  [
    "a sink that failed, and nothing is left to try it with",
    { facts: { relays: relays({ breaker: BREAKER, lastPublishedAt: ago(120) }) } },
    "sink_unavailable",
    "at_risk",
    "warn",
    /^the sink gateway failed when it was last tried \(connection refused\), and nothing is due to try it again$/,
  ],
  [
    "a sink that failed, and nothing but later messages is left",
    { figures: { waiting: 3 }, facts: { relays: relays({ breaker: BREAKER, lastPublishedAt: ago(120) }) } },
    "sink_unavailable",
    "at_risk",
    "warn",
    /^the sink gateway failed when it was last tried \(connection refused\), and nothing is due to try it again$/,
  ],
  [
    "a sink that cannot be reached, where no row says what waits",
    { settings: { byLog: true }, facts: { relays: relays({ breaker: BREAKER }) } },
    "sink_unavailable",
    "not_delivering",
    "fail",
    /^the sink gateway cannot be reached/,
  ],
  [
    "the sink throttles, within the age limit",
    {
      figures: waits(30, 4),
      facts: { relays: relays({ breaker: { ...BREAKER, code: "throttled", message: "HTTP 429" } }) },
    },
    "sink_unavailable",
    "late",
    "warn",
    /^the sink gateway takes no more messages for now \(HTTP 429\)/,
  ],
  [
    "a full queue that is emptied takes some at a time",
    {
      figures: waits(30, 301),
      facts: {
        relays: relays({
          breaker: { ...BREAKER, code: "throttled", message: "full; it worked briefly 9 times in between" },
          lastPublishedAt: ago(4),
        }),
      },
    },
    "sink_unavailable",
    "late",
    "fail",
    /^the sink gateway takes messages only at times \(full; it worked briefly 9 times in between\)/,
  ],
  [
    "the sink asks for a day of rest",
    {
      figures: waits(30, 301),
      facts: {
        relays: relays({ breaker: { ...BREAKER, code: "throttled", message: "HTTP 429", nextProbeAt: ago(-3600) } }),
      },
    },
    "sink_unavailable",
    "not_delivering",
    "fail",
    /for now \(HTTP 429\) since 02:58:00 UTC; 30 wait; the relay tries again at 04:00:00 UTC$/,
  ],
  [
    "the sink throttles for too long",
    {
      figures: waits(30, 301),
      facts: { relays: relays({ breaker: { ...BREAKER, code: "throttled", message: "HTTP 429" } }) },
    },
    "sink_unavailable",
    "not_delivering",
    "fail",
    /takes no more messages for now/,
  ],
  [
    "a relay that may not claim, while the last seconds' rates still look like draining",
    {
      figures: waits(30, 8, { inPerSecond: 0, outPerSecond: 2 }),
      facts: {
        relays: relays({
          lastPublishedAt: ago(12),
          lastError: "Nothing can be claimed: permission denied for table claim",
          lastErrorAt: ago(2),
        }),
        waiting: due(30, 8),
      },
    },
    "no_progress",
    "not_delivering",
    "fail",
    /^the relay is alive and can claim nothing: permission denied for table claim since 02:59:52 UTC; 30 wait$/,
  ],
  [
    "a worker that has no file descriptor left for its sink",
    {
      figures: waits(30, 4),
      facts: {
        relays: relays({ breaker: { ...BREAKER, code: "unreachable", message: "connect EMFILE 127.0.0.1:8080" } }),
      },
    },
    "sink_unavailable",
    "not_delivering",
    "fail",
    /^the relay has too many open files to reach the sink gateway \(connect EMFILE/,
  ],
  [
    "a mapping that nobody has confirmed",
    {
      facts: {
        mappingStop: {
          message: "The mapping of outbox orders is only likely: is sent_at the time of publishing?",
          remedy: "Name the column in outbox.yaml.",
          severity: "fail",
        },
        relays: { instances: [], pause: null, partial: NONE },
      },
    },
    "mapping",
    "not_delivering",
    "fail",
    /^the mapping of outbox orders is only likely: is sent_at/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);

test("a backlog drains only while a relay still publishes", () => {
  const rates = { inPerSecond: 0, outPerSecond: 2 };
  const sentence = (seconds: number) =>
    judged({
      figures: waits(30, 61, rates),
      facts: { relays: relays({ lastPublishedAt: ago(seconds) }), waiting: due(30, 61) },
    }).causes[0]?.sentence;
  expect(sentence(1)).toMatch(/^done in about/);
  expect(sentence(9)).not.toMatch(/done in/);
});

test.each([
  ["a refusal of long ago", { lastErrorAt: ago(40) }],
  ["a refusal before the last publish", { lastErrorAt: ago(8), lastPublishedAt: ago(7) }],
])("%s is not why nothing moves now", (_, change) => {
  const lastError = "Nothing can be claimed: permission denied for table claim";
  const { causes } = judged({
    figures: waits(30, 8),
    facts: { relays: relays({ lastPublishedAt: ago(60), lastError, ...change }), waiting: due(30, 8) },
  });
  expect(causes.map(({ sentence }) => sentence).join()).not.toContain("permission denied");
});

test("the next step of a certificate that nobody trusts is not to bring the receiver back", () => {
  const message = "the certificate is not signed by a trusted authority (UNABLE_TO_VERIFY_LEAF_SIGNATURE)";
  const { causes } = judged({
    figures: waits(30, 4),
    facts: { relays: relays({ breaker: { ...BREAKER, code: "unreachable", message } }) },
  });
  expect(causes[0]?.nextStep).toMatch(/^Renew the certificate, or correct tls/);
});

test.each([
  [
    "auth",
    "NOPERM this user has no permissions to run the 'xadd' command",
    "does not let us publish",
    /^Grant the sink.s account/,
  ],
  ["auth", "Kafka answered TOPIC_AUTHORIZATION_FAILED for the topic orders", "does not let us publish", /^Grant/],
  ["auth", "ACCESS_REFUSED - write access to exchange 'x' in vhost '/' refused for user 'u'", "does not let", /^Grant/],
  ["auth", 'Permissions Violation for Publish to "orders"', "does not let us publish", /^Grant the sink.s account/],
  ["auth", "HTTP 403: no", "does not let us publish", /^Grant the sink.s account/],
  ["auth", "ACCESS_REFUSED - Login was refused", "refuses our credentials", /^Correct the credentials/],
  ["auth", "HTTP 401: token expired", "refuses our credentials", /^Correct the credentials/],
  ["unroutable", "Kafka answered UNKNOWN_TOPIC_OR_PARTITION", "has nowhere to put the messages", /^Create the topic/],
  ["unavailable", "HTTP 308: the redirect to /new is not followed", "accepts nothing", /^Correct url/],
  ["unavailable", "OOM command not allowed", "accepts nothing", /^Repair at the receiver what the error names/],
] as const)("a sink that fails with %s (%s) %s", (code, message, trouble, nextStep) => {
  const { causes } = judged({
    figures: waits(30, 4),
    facts: { relays: relays({ breaker: { ...BREAKER, code, message } }) },
  });
  expect(causes[0]?.sentence).toContain(trouble);
  expect(causes[0]?.nextStep).toMatch(nextStep);
});

test("three relays that were killed and started again by hand are no loop, and one that runs again has ended it", () => {
  const apart = [20, 50, 80].map((seconds) => ({ ...RELAY, startedAt: ago(seconds + 6), heartbeatAt: ago(seconds) }));
  for (const instances of [
    [{ ...RELAY, startedAt: ago(10) }, ...apart],
    [{ ...RELAY, startedAt: ago(31) }, ...LOOP.slice(1)],
  ])
    expect(judged({ facts: { relays: relays({}, { instances }) } }).causes).toEqual([]);
});

test.each([
  ["a deploy that replaces one process after the other", { ...OTHER_SINK, startedAt: ago(5) }],
  ["another order of a cluster's servers", { ...OTHER_SINK, sinkAddress: "10.0.0.9:80,127.0.0.1:8080" }],
])("%s is no difference between relays", (_, other) => {
  expect(judged({ facts: { relays: relays({}, { instances: [RELAY, other] }) } }).causes).toEqual([]);
});
