import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";
import type { Figures, RelayReading, StoreFacts } from "./facts.ts";
import { RULES } from "./rules.ts";
import {
  ASOF,
  ago,
  BREAKER,
  DEAD,
  due,
  FACTS,
  FIGURES,
  HEAD,
  HOLDER,
  judged,
  NONE,
  RELAY,
  ROUTE,
  relays,
  situation,
  waits,
} from "./situation.fixture.ts";
import { verdictOf } from "./verdict.ts";
import { CAUSE_CODES, type CauseCode, type VerdictWord } from "./words.ts";

test("there is one rule for each code, and a calm outbox has no cause", () => {
  expect(RULES.map(({ rule }) => rule).sort()).toEqual([...CAUSE_CODES].sort());
  expect(judged().verdict).toMatchObject({ word: "delivering", status: "pass", title: "Delivering", cause: null });
});

test("without any fact only the figures are judged", () => {
  const input = { ...situation({ settings: { mode: "observe" } }), facts: {} };
  expect(diagnose(input).causes).toEqual([]);
  expect(diagnose(input).unread).toContain("locked");
});

const CLAIMS = { claims: 20, messages: 20, capped: false, oldestAt: ago(86_400), claimedAtKnown: true, owners: [] };
const SLOT = { slot: "orders_slot", lagBytes: 1_300_000_000, walStatus: "extended", connected: false, since: ago(600) };

/** These judge the figures alone, which are always there. */
const OF_FIGURES: readonly CauseCode[] = ["overdue", "dead_letters", "not_known", "unknown_status"];

test("a rule whose facts were not read is not checked", () => {
  const { unread } = diagnose({ ...situation(), facts: {} });
  expect([...unread, ...OF_FIGURES].sort()).toEqual([...CAUSE_CODES].sort());
});

test.each<[CauseCode, keyof StoreFacts]>([
  ["slot_lag", "relays"],
  ["slot_lag", "foreignSlots"],
  ["clock_skew", "clockSkew"],
  ["clock_skew", "relays"],
  ["clock_skew", "consoleClock"],
])("%s is not checked whole without %s, and still says what the rest shows", (rule, fact) => {
  const slot = { slot: "someone", lagBytes: 30e9, walStatus: "extended", active: false, dropStatement: "DROP" };
  const found: StoreFacts = {
    ...FACTS,
    foreignSlots: [slot],
    relays: relays({ clockOffsetMs: 180_000, stream: { ...SLOT, lagBytes: 30e9 } }),
    clockSkew: { messages: 1, capped: false, latestAt: ago(-60) },
    consoleClock: { offsetMs: -180_000 },
  };
  expect(diagnose({ ...situation(), facts: found }).unread).not.toContain(rule);
  const { [fact]: _missing, ...facts } = found;
  const { causes, unread } = diagnose({ ...situation(), facts });
  expect(unread).toContain(rule);
  expect(causes.map((cause) => cause.rule)).toContain(rule);
});

test.each<[CauseCode, Partial<Figures>]>([
  ["dead_letters", { deadKnown: false }],
  ["overdue", { waitingKnown: false }],
  ["overdue", { agesKnown: false, waiting: 3 }],
  ["unknown_status", { unknownKnown: false }],
])("%s is not checked where its figure is not known: %o", (rule, figures) => {
  expect(judged().unread).not.toContain(rule);
  expect(judged({ figures }).unread).toContain(rule);
});

test("locked rows that could not be counted, and followers that could not, are not taken for none", () => {
  expect(judged({ facts: { lockHolders: [{ ...HOLDER, rows: null }] } })).toMatchObject({
    rules: [],
    unread: ["locked"],
  });
  expect(judged({ facts: { lockHolders: [{ ...HOLDER, rows: 0 }] } })).toMatchObject({ rules: [], unread: [] });
  const head = { ...HEAD, waiting: null };
  const { rules, unread, verdict } = judged({ figures: waits(9, 61, { failed: 1 }), facts: { blocked: [head] } });
  expect({ rules, unread }).toEqual({ rules: ["failing"], unread: ["blocked_aggregate"] });
  expect(verdict.cause).toMatch(/mostly order\.paid \(HTTP 500: no FX rate for XBT\)/);
});

type Change = Parameters<typeof judged>[0];

/** Every incident: what is read, and what must be said of it first. */
const INCIDENTS: [name: string, Change, CauseCode, VerdictWord, "warn" | "fail", RegExp][] = [
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
    "many poisoned aggregates",
    {
      figures: waits(320, 400),
      facts: { blocked: Array.from({ length: 40 }, (_, index) => ({ ...HEAD, aggregate: `order/${index}` })) },
    },
    "blocked_aggregate",
    "in_part",
    "fail",
    /^40 aggregates are blocked, 40 of them by order\.paid \(HTTP 500: no FX rate for XBT\) since 02:59:00 UTC; 280 wait behind them$/,
  ],
  [
    "rows locked by a foreign session",
    { figures: waits(9, 20), facts: { lockHolders: [HOLDER] } },
    "locked",
    "in_part",
    "warn",
    /^billing-report \(pid 77\) holds 3 waiting rows locked since 02:58:30 UTC; 9 wait$/,
  ],
  [
    "the whole table locked",
    { figures: waits(9, 400), facts: { lockHolders: [{ ...HOLDER, wholeTable: true }] } },
    "locked",
    "not_delivering",
    "fail",
    /^billing-report \(pid 77\) holds the whole outbox table locked since/,
  ],
  [
    "our slot holds log",
    { facts: { relays: relays({ stream: SLOT }) } },
    "slot_lag",
    "at_risk",
    "warn",
    /^the server keeps 1300 MB of log for the slot orders_slot since/,
  ],
  [
    "our slot was dropped",
    { facts: { relays: relays({ stream: { ...SLOT, lagBytes: null } }) } },
    "slot_lag",
    "at_risk",
    "fail",
    /^the replication slot orders_slot is gone since/,
  ],
  [
    "someone else's slot holds log",
    {
      facts: {
        foreignSlots: [
          { slot: "dbz", dropStatement: "SELECT drop_slot()", active: false, lagBytes: 2e9, walStatus: "extended" },
        ],
      },
    },
    "slot_lag",
    "at_risk",
    "warn",
    /^the server keeps 2000 MB of log for the slot dbz since/,
  ],
  [
    "an old idle transaction",
    {
      facts: {
        oldTransactions: [
          { ...HOLDER, preparedId: null, transactionAt: ago(3_700), holdsBackNewRows: false, applicationName: "bi" },
        ],
      },
    },
    "old_transaction",
    "at_risk",
    "warn",
    /^bi \(pid 77\) has a transaction open and idle since 01:58:20 UTC; it holds back vacuum$/,
  ],
  [
    "a foreign relay takes over while ours runs",
    { facts: { relays: relays({ foreignPublished: 870, foreignLastAt: ago(2), foreignSince: ago(14) }) } },
    "foreign_relay",
    "at_risk",
    "warn",
    /^another relay publishes this table as well and took at least 870 messages since 02:59:46 UTC; consumers may get them twice/,
  ],
  [
    "our relay holds for a foreign one",
    { facts: { relays: relays({ state: "holding", lastError: "Another relay published 12 messages" }) } },
    "foreign_relay",
    "not_delivering",
    "fail",
    /^another relay publishes this table, so ours holds back/,
  ],
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
    "work waits, nothing goes out, and nothing says why",
    { figures: waits(9, 70, { outPerSecond: 0 }), facts: { waiting: due(9, 70) }, settings: { mode: "observe" } },
    "overdue",
    "not_delivering",
    "warn",
    /^nothing is published, and messages have been due since 02:58:50 UTC; 9 wait$/,
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
    "no relay has ever run",
    { facts: { relays: { instances: [], pause: null, partial: NONE } } },
    "no_relay_alive",
    "not_delivering",
    "fail",
    /^no relay is alive, and none has ever run$/,
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
    "the sink throttles, within the age limit",
    {
      figures: waits(30, 4),
      facts: { relays: relays({ breaker: { ...BREAKER, code: "throttled", message: "HTTP 429" } }) },
    },
    "sink_unavailable",
    "late",
    "warn",
    /^the sink gateway asks us to slow down \(HTTP 429\)/,
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
    /asks us to slow down/,
  ],
  [
    "rows of an unknown status",
    { facts: { unknownWords: [{ word: "PARKED", messages: 37, capped: false }] } },
    "unknown_status",
    "unknown",
    "warn",
    /^37 messages have the status "PARKED", which the mapping does not name$/,
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
    "ages that cannot be computed",
    { figures: { waiting: 12, agesKnown: false } },
    "not_known",
    "unknown",
    "warn",
    /^the age of waiting messages is not known: no column says when they were created; 12 wait$/,
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
    "messages that a table only marks as claimed, whenever that was",
    { figures: waits(20, 30), facts: { expiredClaims: { ...CLAIMS, claimedAtKnown: false } } },
    "expired_claim",
    "unknown",
    "warn",
    /^20 messages are marked as claimed and were created more than 5 m 00 s ago; the age of the claim is not known$/,
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
    /^3 messages are scheduled more than 7 d 0 h ahead; the furthest for 2057-01-01 00:00:00 UTC$/,
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
  [
    "polls that read the whole table",
    { facts: { relayScans: { index: null, dead: null, deadCapped: false, tableBytes: 2e9, sql: "CREATE INDEX …" } } },
    "relay_scans",
    "at_risk",
    "warn",
    /^no index serves the relay's claim, and every poll reads the whole table$/,
  ],
  [
    "no monitor",
    { facts: { monitor: { alive: false, lastSeenAt: ago(400) } } },
    "monitor_down",
    "at_risk",
    "warn",
    /^no monitor runs, so charts and rates stand still since 02:53:20 UTC$/,
  ],
];

test.each(INCIDENTS)("%s", (_name, change, rule, word, severity, sentence) => {
  const { causes, verdict } = judged(change);
  expect(causes[0]).toMatchObject({ rule, word, severity });
  expect(causes[0]?.sentence).toMatch(sentence);
  expect(verdict).toMatchObject({ word, cause: causes[0]?.sentence, since: causes[0]?.since });
  expect(causes[0]?.nextStep.length).toBeGreaterThan(25);
});

describe("one trouble is one cause", () => {
  test.each<[string, Change, CauseCode[]]>([
    [
      "an outage holds up what waits",
      {
        figures: waits(4_812, 400, { outPerSecond: 0 }),
        facts: { relays: relays({ breaker: BREAKER, lastPublishedAt: ago(400) }), waiting: due(4_812, 400) },
      },
      ["sink_unavailable"],
    ],
    [
      "a breaker of a relay that is gone says nothing: its end does",
      {
        figures: waits(10, 90),
        facts: { relays: relays({ breaker: BREAKER, heartbeatAt: ago(60) }), waiting: due(10, 90) },
      },
      ["no_relay_alive"],
    ],
    [
      "a session that holds locks is not named again as an old transaction",
      {
        facts: {
          lockHolders: [HOLDER],
          oldTransactions: [{ ...HOLDER, preparedId: null, holdsBackNewRows: true }],
        },
      },
      ["locked"],
    ],
    [
      "heads of a type whose route is broken",
      { facts: { relays: relays({ routes: [ROUTE] }), blocked: [{ ...HEAD, eventType: ROUTE.name }] } },
      ["route_failing"],
    ],
    [
      "both: paused, and nobody who could resume",
      {
        figures: waits(5, 20),
        facts: { relays: relays({ heartbeatAt: ago(40) }, { pause: { reason: "x", by: "y", until: null } }) },
      },
      ["no_relay_alive", "paused"],
    ],
    ["a producer that merely has the table open", { facts: { lockHolders: [{ ...HOLDER, rows: 0 }] } }, []],
    [
      "a head that has just failed, or that nobody waits for, is an ordinary retry",
      {
        facts: {
          blocked: [
            { ...HEAD, headCreatedAt: ago(3), firstFailedAt: ago(2) },
            { ...HEAD, waiting: 0 },
          ],
        },
      },
      [],
    ],
    [
      "an outbox that others relay needs no relay of ours",
      { settings: { mode: "observe" }, facts: { relays: null } },
      [],
    ],
    [
      "a relay that holds for its sink, or has just stopped doing so, is no sign of another relay",
      { facts: { relays: relays({ state: "holding", lastError: "connect ECONNREFUSED" }) } },
      [],
    ],
    [
      "dead letters below the limit, and a limit that is switched off",
      { figures: { dead: 500 }, facts: { dead: [DEAD] } },
      [],
    ],
  ])("%s", (_name, change, rules) => {
    expect(judged(change).rules).toEqual(rules);
  });
});

test("the larger fault comes first, and the other is counted", () => {
  const { verdict } = judged({
    figures: waits(134, 70, { dead: 4_656, judged: { oldestPending: "warn", dead: "fail", failed: "pass" } }),
    facts: { relays: relays({ routes: [ROUTE] }), dead: [DEAD] },
  });
  expect(verdict.cause).toMatch(/^4,656 messages of invoice\.rendered are dead/);
  expect(verdict.more).toMatch(/^and 1 more: every delivery of invoice\.rendered fails/);
  expect(verdict.status).toBe("fail");
});

test("rates of the last sample promise no end of a backlog of which nothing goes out now", () => {
  const figures = waits(132, 13, { inPerSecond: 16, outPerSecond: 17 });
  expect(judged({ figures }).verdict.evidence).toContain("drained in about");
  const down = judged({ figures, facts: { relays: relays({ breaker: BREAKER, lastPublishedAt: ago(13) }) } }).verdict;
  expect(down.word).toBe("not_delivering");
  expect(down.evidence).not.toContain("drained");
});

test("what is not known is not called delivering", () => {
  const { verdict } = judged({ figures: { waitingKnown: false } });
  expect(verdict.evidence).not.toContain("Nothing waits");
  expect(judged({ settings: { mode: "observe" }, figures: { waiting: 3, outPerSecond: null } }).verdict.title).toBe(
    "Within its limits",
  );
});

test("a cause without a beginning of its own keeps the one that it was first seen with", () => {
  const input = situation({ facts: { unknownWords: [{ word: "X", messages: 1, capped: false }] } });
  expect(diagnose(input, () => ago(500)).causes[0]?.since).toBe(ago(500));
});

test("nothing begins in the future, whatever clock wrote it", () => {
  const { causes } = judged({ facts: { relays: relays({ breaker: { ...BREAKER, since: ago(-180) } }) } });
  expect(causes[0]?.since).toBe(ASOF);
});

const STATUS = fc.constantFrom("pass" as const, "warn" as const, "fail" as const);
const rate = fc.option(fc.double({ min: 0, max: 500, noNaN: true }), { nil: null });
const figures: fc.Arbitrary<Partial<Figures>> = fc.record({
  waiting: fc.nat(10_000),
  waitingKnown: fc.boolean(),
  failed: fc.nat(500),
  dead: fc.nat(5_000),
  oldestSeconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: null }),
  oldestClaimSeconds: fc.option(fc.nat(1_000), { nil: null }),
  inPerSecond: rate,
  outPerSecond: rate,
  judged: fc.record({ oldestPending: STATUS, dead: STATUS, failed: STATUS }),
});
const facts: fc.Arbitrary<Partial<StoreFacts>> = fc.record({
  relays: fc
    .record({
      breaker: fc.constantFrom<RelayReading["breaker"]>(null, BREAKER),
      routes: fc.constantFrom<RelayReading["routes"]>([], [ROUTE]),
      heartbeatAt: fc.nat(60).map(ago),
      lastPublishedAt: fc.option(fc.nat(600).map(ago), { nil: null }),
      state: fc.constantFrom<string>("owner", "standby", "paused", "holding", "stopping", "stopped"),
      paused: fc.boolean(),
    })
    .map(({ paused, ...change }) =>
      relays({ ...RELAY, ...change }, { pause: paused ? { reason: "move", by: "ana", until: null } : null }),
    ),
  blocked: fc.constantFrom([], [HEAD], [{ ...HEAD, waiting: 0 }]),
  lockHolders: fc.constantFrom([], [HOLDER]),
  dead: fc.constantFrom([], [DEAD], [DEAD, { ...DEAD, eventType: null, code: "unroutable" }]),
  waiting: fc.nat(600).map((seconds) => due(9, seconds)),
});

test("whatever is read, the verdict follows from its causes and hides nothing", () => {
  fc.assert(
    fc.property(figures, facts, (someFigures, someFacts) => {
      const input = situation({ figures: someFigures, facts: someFacts });
      const { causes } = diagnose(input);
      const verdict = verdictOf(input, causes);
      const names = causes.map(({ rule, key }) => `${rule} ${key}`);
      expect(new Set(names).size).toBe(names.length);
      expect(verdict.word === "delivering").toBe(causes.length === 0);
      const onPurpose = causes.some(({ word }) => word === "paused");
      const { oldestPending } = input.figures.judged;
      const late = oldestPending !== "pass" && input.figures.oldestSeconds !== null;
      if (late) expect(verdict.status).not.toBe("pass");
      if (late && oldestPending === "fail" && !onPurpose) expect(verdict.status).toBe("fail");
      const tooManyFailed = input.figures.judged.failed === "fail" && input.figures.failed > 0;
      if (tooManyFailed && input.facts.blocked) expect(verdict.status).toBe("fail");
      for (const { sentence, since, key } of causes) {
        expect(sentence).not.toMatch(/null|undefined|NaN| {2}|;$|\.$/);
        expect(key).not.toMatch(/\d{4}-\d{2}/);
        expect(Date.parse(since)).toBeLessThanOrEqual(Date.parse(ASOF));
      }
    }),
    { numRuns: 500 },
  );
});
