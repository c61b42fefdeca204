import { expect, test } from "vitest";
import { ORDER_DIFFERS } from "../relay/order-differs.ts";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, due, judged, NONE, RELAY, relays, waits } from "./situation.fixture.ts";

const OTHER_SINK = { ...RELAY, id: "b", host: "shop-2", pid: 77, sinkAddress: "10.0.0.9:80", startedAt: ago(30) };

const KILLED = { ...OTHER_SINK, sinkAddress: RELAY.sinkAddress, ordering: "none", heartbeatAt: ago(5) };

const REFUSED = {
  settlingSince: ago(9),
  lastErrorAt: ago(1),
  lastError: "Outcomes could not be written: outbox rows are immutable",
};

/** Relays that run and are paused, not alone, differ or are stuck. */
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
    "a worker that waits because it differs in relay.ordering",
    {
      facts: {
        relays: relays(
          {},
          {
            instances: [
              RELAY,
              {
                ...{ ...OTHER_SINK, sinkAddress: RELAY.sinkAddress, ordering: "none", state: "holding" },
                lastError: `${ORDER_DIFFERS}: this relay has none. It waits until shop-1 has stopped.`,
              },
            ],
          },
        ),
      },
    },
    "relays_differ",
    "at_risk",
    "warn",
    /^relays of this outbox differ in relay\.ordering, and process 77 on shop-2 waits until process 4242 on shop-1 has stopped since 02:59:30 UTC$/,
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
    "a relay whose sink is just back, and whose first marks are refused",
    {
      figures: waits(98, 80, { oldestClaimSeconds: 5, outPerSecond: 0 }),
      facts: { waiting: due(98, 80), relays: relays({ ...REFUSED, lastPublishedAt: ago(90), settlingSince: ago(3) }) },
    },
    "overdue",
    "not_delivering",
    "warn",
    /^nothing is marked as published, .* 98 wait; marking .* so far; the last failed attempt: Outcomes could not be written/,
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
    "a relay that may not record failed attempts, so that their aggregates wait and in the end nothing goes out",
    {
      figures: waits(47, 70, { outPerSecond: 0 }),
      facts: {
        waiting: due(47, 70),
        relays: relays({
          ...REFUSED,
          settlingSince: ago(65),
          lastPublishedAt: ago(50),
          lastError: "Outcomes could not be written: permission denied for table delivery",
        }),
      },
    },
    "no_progress",
    "not_delivering",
    "fail",
    /^the relay cannot record the outcome of what it has sent: permission denied for table delivery since 02:58:55 UTC; 47 wait$/,
  ],
  [
    "a row that refuses its mark for minutes, and nothing else is due",
    {
      figures: waits(1, 200),
      facts: {
        waiting: { ...due(1, 200), due: 0 },
        relays: relays({ ...REFUSED, settlingSince: ago(200), lastPublishedAt: ago(190) }),
      },
    },
    "no_progress",
    "in_part",
    "warn",
    /^the relay cannot mark some of what it has published: .*; 1 waits$/,
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
    /^the relay is alive but cannot claim messages: permission denied for table claim since 02:59:52 UTC; 30 wait$/,
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

test.each([
  ["a deploy that replaces one process after the other", { ...OTHER_SINK, startedAt: ago(5) }],
  ["an owner of another order that was killed, and whose lease another took over", KILLED],
  [
    "an owner with another address that was killed",
    { ...KILLED, ordering: RELAY.ordering, sinkAddress: "10.0.0.9:80" },
  ],
  ["another order of a cluster's servers", { ...OTHER_SINK, sinkAddress: "10.0.0.9:80,127.0.0.1:8080" }],
])("%s is no difference between relays", (_, other) => {
  expect(judged({ facts: { relays: relays({}, { instances: [RELAY, other] }) } }).causes).toEqual([]);
});
