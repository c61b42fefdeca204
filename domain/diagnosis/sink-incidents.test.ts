import { expect, test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, BREAKER, HOLDER, judged, RELAY, relays, waits } from "./situation.fixture.ts";

const LEADERLESS = {
  ...BREAKER,
  code: "unavailable",
  message: "Kafka answered LEADER_NOT_AVAILABLE for partition 1 of the topic orders",
};

/** Sinks that relays cannot reach, or that refuse. */
const INCIDENTS: Incident[] = [
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
    /^the sink gateway failed when it was last tried \(connection refused\), and no message is due that would try it again$/,
  ],
  [
    "what waited has gone since the relay last said that its sink fails",
    {
      figures: { waitingBefore: 60 },
      facts: { relays: relays({ breaker: BREAKER, lastPublishedAt: ago(120), heartbeatAt: ago(0.5) }) },
    },
    "sink_unavailable",
    "at_risk",
    "warn",
    /^the sink gateway failed at the relay's last report \(connection refused\), and the waiting messages have gone since$/,
  ],
  [
    "no partition has enough replicas: nothing has got through for longer",
    {
      figures: waits(40, 30, { outPerSecond: 1.5 }),
      facts: { relays: relays({ breaker: { ...LEADERLESS, since: ago(6) }, lastPublishedAt: ago(7) }) },
    },
    "sink_unavailable",
    "not_delivering",
    "fail",
    /^the sink gateway does not accept the messages that were tried/,
  ],
  [
    "a sink that failed, and nothing but later messages is left",
    { figures: { waiting: 3 }, facts: { relays: relays({ breaker: BREAKER, lastPublishedAt: ago(120) }) } },
    "sink_unavailable",
    "at_risk",
    "warn",
    /^the sink gateway failed when it was last tried \(connection refused\), and no message is due that would try it again$/,
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
];

test.each(INCIDENTS)("%s", expectCauseFirst);

test("the next step of a certificate that nobody trusts is not to bring the receiver back", () => {
  const message = "the certificate is not signed by a trusted authority (UNABLE_TO_VERIFY_LEAF_SIGNATURE)";
  const { causes } = judged({
    figures: waits(30, 4),
    facts: { relays: relays({ breaker: { ...BREAKER, code: "unreachable", message } }) },
  });
  expect(causes[0]?.nextStep).toMatch(/^Name the authority .* tls\.ca/);
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
  [
    "auth",
    "HTTP 401: bad key; it worked briefly 2 times in between",
    "refuses our credentials most of the time",
    /^Some of the receiver's servers accept our credentials/,
  ],
  ["unroutable", "Kafka answered UNKNOWN_TOPIC_OR_PARTITION", "has nowhere to put the messages", /^Create the topic/],
  ["unavailable", "HTTP 308: the redirect to /new is not followed", "accepts nothing", /^Correct url/],
  [
    "auth",
    "HTTP 407: sign in to the proxy",
    "a proxy on the way to the sink gateway asks for credentials (HTTP 407",
    /^Let the proxy between/,
  ],
  ["too_large", "HTTP 413: try later", "accepts nothing", /^Fix at the receiver/],
  ["unavailable", "OOM command not allowed", "accepts nothing", /^Free memory in Redis/],
] as const)("a sink that fails with %s (%s) %s", (code, message, trouble, nextStep) => {
  const { causes } = judged({
    figures: waits(30, 4),
    facts: { relays: relays({ breaker: { ...BREAKER, code, message } }) },
  });
  expect(causes[0]?.sentence).toContain(trouble);
  expect(causes[0]?.nextStep).toMatch(nextStep);
});

test("a sink that failed is not tried while the outbox is paused, which comes first", () => {
  const pause = { reason: "gateway is being repaired", by: "Ada", until: null };
  const { causes, verdict } = judged({
    figures: waits(48, 300),
    facts: { relays: relays({ breaker: BREAKER, state: "paused" }, { pause }) },
  });
  expect(verdict).toMatchObject({ word: "paused", status: "warn" });
  expect(causes.map(({ rule }) => rule)).toEqual(["paused", "sink_unavailable"]);
  expect(causes[1]).toMatchObject({
    word: "at_risk",
    sentence:
      "the sink gateway failed when it was last tried (connection refused), and it is not tried while the outbox is paused",
    nextStep: expect.stringMatching(/^See whether the receiver is back, then resume/),
  });
});

test("a sink that failed is not tried while another session keeps everybody from the table", () => {
  const lockHolders = [{ ...HOLDER, rows: 0, wholeTable: true, keepsOutReaders: true }];
  const { causes } = judged({
    figures: { waitingKnown: false, tableLocked: true },
    facts: { relays: relays({ breaker: BREAKER }), lockHolders },
  });
  const sink = causes.find(({ rule }) => rule === "sink_unavailable");
  expect(sink?.sentence).toMatch(/; it cannot be tried while the table is locked$/);
  expect(sink?.nextStep).toMatch(/^End the lock on the table first/);
});
