import { expect, test } from "vitest";
import { MOST_HEADS } from "./facts/messages.ts";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, CLAIMS, DEAD, due, FIGURES, HEAD, judged, ROUTE, relays, waits } from "./situation.fixture.ts";

/** A failed head with nothing behind it. */
const ALONE = { ...HEAD, waiting: 0 };

/** Messages that fail, are dead, block others or are left in a claim. */
const INCIDENTS: Incident[] = [
  [
    "one event type fails while others flow",
    {
      figures: waits(125, 65),
      facts: { relays: relays({ routes: [ROUTE] }), waitingByType: [{ eventType: "invoice.rendered", messages: 125 }] },
    },
    "route_failing",
    "in_part",
    "warn",
    /^every delivery of invoice\.rendered fails \(HTTP 500: template missing\) since 02:58:55 UTC; 125 wait; other types flow$/,
  ],
  [
    "one event type failed, and its messages were archived or their partition was dropped",
    { figures: waits(0, 0), facts: { relays: relays({ routes: [ROUTE] }), waitingByType: [] } },
    "route_failing",
    "at_risk",
    "warn",
    /^the last deliveries of invoice\.rendered failed \(HTTP 500: template missing\), and no message waits now$/,
  ],
  [
    "half of one type's deliveries fail, so that what was published last may be its own",
    {
      figures: waits(125, 65),
      facts: {
        relays: relays({ routes: [{ ...ROUTE, message: "HTTP 500: half; it worked briefly 2 times in between" }] }),
        waitingByType: [{ eventType: "invoice.rendered", messages: 125 }],
      },
    },
    "route_failing",
    "in_part",
    "warn",
    /^most deliveries of invoice\.rendered fail \(HTTP 500: half; it worked briefly 2 times in between\) since 02:58:55 UTC; 125 wait$/,
  ],
  [
    "one event type fails, and all others wait behind it",
    {
      figures: waits(215, 65),
      facts: {
        relays: relays({ routes: [ROUTE], lastPublishedAt: ago(40) }),
        waitingByType: [
          { eventType: "invoice.rendered", messages: 108 },
          { eventType: "invoice.paid", messages: 107 },
        ],
      },
    },
    "route_failing",
    "not_delivering",
    "warn",
    /since 02:58:55 UTC; 108 wait; nothing else is published, and 107 of other types wait$/,
  ],
  [
    "one type fails in a backlog longer than the 10,000 whose types are read: what lies beyond may be all its own",
    {
      figures: waits(50_000, 80, { outPerSecond: 0, waitingCapped: true }),
      facts: {
        relays: relays({ routes: [ROUTE], lastPublishedAt: ago(90) }),
        waitingByType: [{ eventType: "invoice.rendered", messages: 10_000 }],
      },
    },
    "route_failing",
    "in_part",
    "warn",
    /^every delivery of invoice.rendered fails \(HTTP 500: template missing\) since 02:58:55 UTC; at least 10,000 wait$/,
  ],
  [
    "a queue that fills up takes one type's messages last",
    {
      figures: waits(20, 10),
      facts: {
        relays: relays({ routes: [{ ...ROUTE, since: ago(9) }], lastPublishedAt: ago(10) }),
        waitingByType: [{ eventType: "invoice.rendered", messages: 9 }],
      },
    },
    "route_failing",
    "not_delivering",
    "warn",
    /since 02:59:51 UTC; 9 wait; nothing else is published, and 11 of other types wait$/,
  ],
  [
    "every message is refused for good",
    {
      figures: { dead: 38, judged: { ...FIGURES.judged, dead: "warn" } },
      facts: { dead: [{ ...DEAD, messages: 38 }], relays: relays({ lastPublishedAt: ago(40) }) },
    },
    "dead_letters",
    "not_delivering",
    "fail",
    /^38 messages of invoice\.rendered are dead \(HTTP 422: no such customer\) since .*; 38 in the last minute; nothing else is published$/,
  ],
  [
    "a few refused for good among others, and quiet since",
    {
      figures: { dead: 38, judged: { ...FIGURES.judged, dead: "warn" } },
      facts: { dead: [{ ...DEAD, messages: 38, lastAt: ago(45) }], relays: relays({ lastPublishedAt: ago(46) }) },
    },
    "dead_letters",
    "in_part",
    "warn",
    /38 in the last minute$/,
  ],
  [
    "a type that was rejected for good, thousands of times, and goes on",
    { figures: { dead: 4_656, judged: { ...FIGURES.judged, dead: "fail" } }, facts: { dead: [DEAD] } },
    "dead_letters",
    "in_part",
    "fail",
    /^4,656 messages of invoice\.rendered are dead \(HTTP 422: no such customer\) since 01:00:00 UTC; 38 in the last minute$/,
  ],
  [
    "dead letters of yesterday",
    {
      figures: { dead: 2, judged: { ...FIGURES.judged, dead: "warn" } },
      facts: { dead: [{ ...DEAD, messages: 2, firstAt: ago(90_000), lastAt: ago(90_000), lastMinute: 0 }] },
    },
    "dead_letters",
    "at_risk",
    "warn",
    /^2 messages of invoice\.rendered are dead \(HTTP 422: no such customer\); the last died at 2026-11-20 02:00:00 UTC$/,
  ],
  [
    "a poisoned aggregate",
    { figures: waits(8, 61), facts: { blocked: [HEAD] } },
    "blocked_aggregate",
    "in_part",
    "warn",
    /^the aggregate order\/ord-1 is blocked by order\.paid \(HTTP 500: no FX rate for XBT\) since 02:59:00 UTC; 7 wait behind it$/,
  ],
  [
    "names that no screen could show",
    {
      figures: waits(8, 61),
      facts: {
        blocked: [{ ...HEAD, eventType: `a\r\nb\u202e${"t".repeat(100_000)}`, aggregate: `order/${"7".repeat(500)}` }],
      },
    },
    "blocked_aggregate",
    "in_part",
    "warn",
    /^the aggregate order\/7{74} … is blocked by a\ufffd\ufffdb\ufffdt{75} … \(HTTP 500/,
  ],
  [
    "many poisoned aggregates",
    {
      figures: waits(320, 400),
      facts: { blocked: Array.from({ length: 40 }, (_, index) => ({ ...HEAD, aggregate: `order/${index}` })) },
    },
    "blocked_aggregate",
    "in_part",
    "fail",
    /^40 aggregates are blocked by order\.paid \(HTTP 500: no FX rate for XBT\) since 02:59:00 UTC; 280 wait behind them$/,
  ],
  [
    "more blocked aggregates than are read",
    {
      figures: waits(320, 400),
      facts: {
        blocked: Array.from({ length: MOST_HEADS }, (_, index) => ({
          ...HEAD,
          aggregate: `order/${index}`,
          waiting: index < 24 ? 7 : 0,
        })),
      },
    },
    "blocked_aggregate",
    "in_part",
    "fail",
    /^at least 24 aggregates are blocked, 24 of them by order\.paid \(HTTP 500: no FX rate for XBT\) since 02:59:00 UTC; at least 168 wait behind them$/,
  ],
  [
    "day-old claims of another library",
    {
      figures: waits(20, 30),
      facts: { expiredClaims: { ...CLAIMS, owners: ["old-worker"] } },
    },
    "expired_claim",
    "in_part",
    "warn",
    /^20 messages are still claimed by old-worker and have not moved since 2026-11-20 03:00:00 UTC$/,
  ],
  [
    "claims of a publisher whose name is an empty text",
    { figures: waits(20, 30), facts: { expiredClaims: { ...CLAIMS, owners: [""] } } },
    "expired_claim",
    "in_part",
    "warn",
    /^20 messages are still claimed by another program and have not moved since 2026-11-20 03:00:00 UTC$/,
  ],
  [
    "a type that nothing takes",
    { facts: { dead: [{ ...DEAD, code: "unroutable", error: "no topic refunds", messages: 40 }] } },
    "unroutable_type",
    "in_part",
    "warn",
    /^40 messages of invoice\.rendered are dead \(no topic refunds\)/,
  ],
  [
    "too many failed messages",
    { figures: { failed: 240, waiting: 240, judged: { ...FIGURES.judged, failed: "warn" } } },
    "failing",
    "in_part",
    "warn",
    /^240 messages failed and will be tried again,/,
  ],
  [
    "failed messages of which most share an error",
    {
      figures: { failed: 240, waiting: 240, judged: { ...FIGURES.judged, failed: "warn" } },
      facts: {
        blocked: [ALONE, { ...ALONE, aggregate: "order/2" }, { ...ALONE, aggregate: "order/3", error: "other" }],
      },
    },
    "failing",
    "in_part",
    "warn",
    /^240 messages failed and will be tried again, mostly order\.paid \(HTTP 500: no FX rate for XBT\), since/,
  ],
  [
    "failed messages of which no error has the most",
    {
      figures: { failed: 240, waiting: 240, judged: { ...FIGURES.judged, failed: "warn" } },
      facts: {
        blocked: [ALONE, ALONE, { ...ALONE, error: "other" }, { ...ALONE, error: "another" }],
      },
    },
    "failing",
    "in_part",
    "warn",
    /^240 messages failed and will be tried again, among them order\.paid \(HTTP 500: no FX rate for XBT\), since/,
  ],
  [
    "more failed messages than are read",
    {
      figures: { failed: 60_000, waiting: 60_000, judged: { ...FIGURES.judged, failed: "fail" } },
      facts: { blocked: Array.from({ length: MOST_HEADS }, () => ALONE) },
    },
    "failing",
    "in_part",
    "fail",
    /^60,000 messages failed and will be tried again, among them order\.paid/,
  ],
  [
    "all that is late has failed at another program, whose table says nothing of the heads of aggregates",
    {
      settings: { mode: "observe", failedMeans: "unknown" },
      figures: waits(83, 70, { failed: 81, inPerSecond: 5, outPerSecond: 2 }),
      facts: { relays: null, blocked: null, waiting: due(83, 70) },
    },
    "failing",
    "in_part",
    "warn",
    /^81 messages failed; whether they are tried again is not known, since/,
  ],
  [
    "messages without an aggregate fail, so that no head says it, and others flow",
    {
      figures: waits(30, 70, { failed: 25 }),
      facts: {
        blocked: [],
        waiting: { ...due(4, 2), overdue: 3 },
        relays: relays({ lastError: "HTTP 500: no type", lastErrorAt: ago(1) }),
      },
    },
    "failing",
    "in_part",
    "warn",
    /^25 messages failed and will be tried again, since .*; the last failed attempt: HTTP 500: no type$/,
  ],
  [
    "more is late than the messages without an aggregate that fail",
    { figures: waits(30, 70, { failed: 2 }), facts: { blocked: [], waiting: due(28, 70) } },
    "overdue",
    "late",
    "warn",
    /30 wait$/,
  ],
  [
    "some that is late has failed at another program that publishes nothing now",
    {
      settings: { mode: "operate", failedMeans: "final" },
      figures: waits(90, 70, { failed: 4, inPerSecond: 5, outPerSecond: 0 }),
      facts: { relays: null, waiting: due(90, 70) },
    },
    "overdue",
    "not_delivering",
    "warn",
    /90 wait; 4 of them failed$/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);

test.each([
  ["auth", "HTTP 401: bad key", /^Correct the credentials in the sink's section of outbox\.yaml/],
  ["auth", "HTTP 403: not for you", /^Grant the sink's account the permission/],
  ["unavailable", "The stream os.x: WRONGTYPE Operation against a key", /^Rename the key that the error names/],
  ["timeout", "no answer within 2 s", /^See why the receiver of invoice\.rendered takes so long/],
  ["server_error", "HTTP 500: template missing", /^Repair the receiver of invoice\.rendered/],
])("a type that fails with %s (%s) needs the step for it", (code, message, step) => {
  const routes = [{ ...ROUTE, code, message }];
  const { causes } = judged({ figures: waits(125, 65), facts: { relays: relays({ routes }) } });
  expect(causes[0]?.nextStep).toMatch(step);
});

test("a type that failed and has no messages left does not explain what is late of others", () => {
  const { causes } = judged({
    figures: waits(30, 65),
    facts: {
      relays: relays({ routes: [ROUTE], lastPublishedAt: ago(1) }),
      waitingByType: [{ eventType: "order.placed", messages: 30 }],
      waiting: due(30, 65),
    },
  });
  expect(causes.map(({ rule, word }) => [rule, word])).toEqual([
    ["overdue", "late"],
    ["route_failing", "at_risk"],
  ]);
});
