import { expect, test } from "vitest";
import { FINDING_RULES, findingSchema } from "#contracts/findings.ts";
import type { RelayReading, StoreFacts } from "#db/watchdog/facts.ts";
import { explainAway } from "./explain-away.ts";
import { findingId } from "./finding-id.ts";
import type { FindingRule, RuleSettings } from "./rule.ts";
import { RULES } from "./rules.ts";

const asOf = "2026-11-21T03:00:00.000000Z";
const before = (seconds: number) => new Date(Date.parse(asOf) - seconds * 1000).toISOString();

const settings: RuleSettings = {
  outbox: "orders",
  mode: "relay",
  sink: "gateway",
  overdueSeconds: 30,
  relaySilentSeconds: 10,
  noProgressSeconds: 15,
  claimGraceSeconds: 10,
  lockHeldSeconds: 5,
  oldTransactionSeconds: 60,
  scheduledFarSeconds: 604_800,
  clockSkewSeconds: 5,
};

const NONE = { eventTypes: 0, aggregates: 0, holds: 0 };

const relay: RelayReading = {
  id: "a",
  host: "shop-1",
  pid: 4242,
  state: "owner",
  heartbeatAt: before(1),
  lastPublishedAt: before(1),
  lastError: null,
  sinkName: "gateway",
  sinkAddress: "127.0.0.1:8080",
  breaker: null,
  routes: [],
  foreignPublished: 0,
  foreignUnclaimed: 0,
  foreignSince: null,
  foreignLastAt: null,
  clockOffsetMs: 0,
  settlingSince: null,
  stream: null,
};

const calm: StoreFacts = {
  waiting: { due: 0, overdue: 0, overdueAggregates: 0, capped: false, oldestDueAt: null },
  blocked: [],
  relays: { instances: [relay], pause: null, partial: NONE },
  expiredClaims: { claims: 0, messages: 0, oldestAt: null, owners: [] },
  lockHolders: [],
  oldTransactions: [],
  scheduledFar: null,
  clockSkew: { messages: 0, capped: false, latestAt: null },
  unknownWords: null,
  unroutable: [],
};
const waiting = (due: number, seconds: number): StoreFacts["waiting"] => ({
  due,
  overdue: seconds > 30 ? due : 0,
  overdueAggregates: Math.min(due, 3),
  capped: false,
  oldestDueAt: before(seconds),
});
const holder: StoreFacts["lockHolders"][number] = {
  pid: 77,
  user: "report",
  applicationName: "billing-report",
  clientAddress: "10.0.0.7",
  state: "idle in transaction",
  transactionAt: before(90),
  queryAt: before(90),
  query: "SELECT id FROM outbox FOR UPDATE",
  mode: "RowShareLock",
  rows: 12,
  blockedPids: [],
};
const head: NonNullable<StoreFacts["blocked"]>[number] = {
  aggregate: "order/ord-1",
  aggregateId: "ord-1",
  headId: "m1",
  eventType: "order.paid",
  attempts: 2,
  headCreatedAt: before(61),
  firstFailedAt: before(60),
  nextAttemptAt: new Date(Date.parse(asOf) + 4_000).toISOString(),
  errorCode: "server_error",
  error: "500 no FX rate for XBT",
  waiting: 7,
  waitingCapped: false,
};
const breaker = { code: "unreachable", message: "connection refused", since: before(120), nextProbeAt: null };

function evaluate(facts: Partial<StoreFacts>, overrides: Partial<RuleSettings> = {}) {
  const input = { settings: { ...settings, ...overrides }, facts: { ...calm, ...facts }, asOf };
  return RULES.flatMap(({ rule, evaluate: judge }) => judge(input).map((draft) => ({ ...draft, rule })));
}
function findings(facts: Partial<StoreFacts>, overrides: Partial<RuleSettings> = {}) {
  return explainAway(evaluate(facts, overrides));
}
const rulesOf = (found: { rule: FindingRule }[]) => found.map(({ rule }) => rule);

test("there is one rule for each name of the contract, and nothing is stuck when all is well", () => {
  expect(RULES.map(({ rule }) => rule).sort()).toEqual([...FINDING_RULES].sort());
  expect(findings({})).toEqual([]);
});

test("without any fact no rule says anything", () => {
  const input = { settings: { ...settings, mode: "observe" as const }, facts: {}, asOf };
  expect(RULES.flatMap((rule) => rule.evaluate(input))).toEqual([]);
});

const stream = { slot: "s", lagBytes: 2_000_000_000, walStatus: "extended", connected: false, since: before(600) };

const CASES: [FindingRule, Partial<StoreFacts>, RegExp][] = [
  [
    "slot_lag",
    { relays: { instances: [{ ...relay, stream }], pause: null, partial: NONE } },
    /^The server keeps 2000 MB of log for the slot s\. It grows until a relay reads it/,
  ],
  [
    "slot_lag",
    { relays: { instances: [{ ...relay, stream: { ...stream, lagBytes: null } }], pause: null, partial: NONE } },
    /^The replication slot s is gone/,
  ],
  [
    "unroutable_type",
    {
      unroutable: [
        { eventType: "order.refunded", messages: 40, error: "no topic refunds", fingerprint: "f1", since: before(60) },
      ],
    },
    /^40 messages of order\.refunded are dead: no topic refunds\./,
  ],
  ["overdue", { waiting: waiting(5, 90) }, /^5 messages were due more than 30 s ago/],
  [
    "expired_claim",
    { expiredClaims: { claims: 1, messages: 1, oldestAt: before(40), owners: ["shop-1:1"] } },
    /^1 message is held by 1 claim whose owner is gone; the oldest was made 40 s ago/,
  ],
  [
    "blocked_aggregate",
    { blocked: [head] },
    /^7 messages of order\/ord-1 wait behind a head that failed 2 times: 500 no FX/,
  ],
  [
    "sink_unavailable",
    { relays: { instances: [{ ...relay, breaker }], pause: null, partial: NONE }, waiting: waiting(4_812, 120) },
    /has not been usable for 2 m 00 s: connection refused\. 4,812 messages wait/,
  ],
  [
    "no_relay_alive",
    {
      relays: { instances: [{ ...relay, heartbeatAt: before(40) }], pause: null, partial: NONE },
      waiting: waiting(9, 40),
    },
    /process 4242 on shop-1, was heard 40 s ago and said no goodbye. 9 messages wait/,
  ],
  [
    "no_progress",
    {
      relays: { instances: [{ ...relay, lastPublishedAt: before(50) }], pause: null, partial: NONE },
      waiting: waiting(9, 40),
    },
    /it has published nothing for 50 s, while 9 messages wait/,
  ],
  [
    "foreign_relay",
    {
      relays: {
        instances: [{ ...relay, state: "holding", lastError: "Another relay published 12 messages" }],
        pause: null,
        partial: NONE,
      },
    },
    /marks messages of this table as published, so our relay holds back/,
  ],
  ["locked", { lockHolders: [holder] }, /billing-report \(pid 77\) has locked 12 waiting messages in a transaction/],
  [
    "old_transaction",
    {
      oldTransactions: [
        { ...holder, preparedId: null, transactionAt: before(3_700), holdsBackNewRows: false, applicationName: "bi" },
      ],
    },
    /bi \(pid 77\) has a transaction open for 1 h 01 m. It only reads/,
  ],
  [
    "scheduled_far",
    { scheduledFar: { messages: 3, capped: false, latestAt: "2057-01-01T00:00:00Z" } },
    /^3 messages are scheduled more than 7 d 0 h ahead, the furthest for 2057-01-01/,
  ],
  [
    "clock_skew",
    { clockSkew: { messages: 1, capped: false, latestAt: "2026-11-21T04:00:00Z" } },
    /^1 message has a creation time in the future, by up to 1 h 00 m/,
  ],
  [
    "unknown_status",
    { unknownWords: [{ word: "PARKED", messages: 2, capped: false }] },
    /^2 messages have the status "PARKED", which the mapping does not name/,
  ],
];

test.each(CASES)("%s", (rule, facts, diagnosis) => {
  const found = findings(facts);
  expect(rulesOf(found)).toEqual([rule]);
  const [{ key, ...draft }] = found as [(typeof found)[0]];
  expect(draft.diagnosis).toMatch(diagnosis);
  expect(draft.nextStep.length).toBeGreaterThan(30);
  const finding = { ...draft, id: findingId("orders", rule, key), outbox: "orders", since: draft.since ?? asOf };
  expect(findingSchema.parse(finding)).toEqual(finding);
});

test("an outage is one finding with a count of what waits", () => {
  const facts = {
    relays: { instances: [{ ...relay, breaker, lastPublishedAt: before(120) }], pause: null, partial: NONE },
    waiting: waiting(4_812, 120),
  };
  const found = findings(facts);
  expect(rulesOf(found)).toEqual(["sink_unavailable"]);
  expect(found[0]).toMatchObject({ messages: 4_812, since: breaker.since, severity: "fail" });
});

test("a breaker of a relay that is gone says nothing: its end does", () => {
  const facts = {
    relays: { instances: [{ ...relay, breaker, heartbeatAt: before(60) }], pause: null, partial: NONE },
    waiting: waiting(10, 90),
  };
  expect(rulesOf(findings(facts))).toEqual(["no_relay_alive"]);
});

test("a relay that holds for its sink, or has just stopped doing so, is no sign of another relay", () => {
  const holding = { ...relay, state: "holding", lastError: "connect ECONNREFUSED" };
  expect(rulesOf(findings({ relays: { instances: [holding], pause: null, partial: NONE } }))).toEqual([]);
  expect(rulesOf(findings({ relays: { instances: [{ ...holding, breaker }], pause: null, partial: NONE } }))).toEqual([
    "sink_unavailable",
  ]);
});

test("a relay paused on purpose makes no progress and is not stuck", () => {
  const facts = {
    relays: {
      instances: [{ ...relay, state: "paused", lastPublishedAt: before(600) }],
      pause: { reason: "deploy", by: "ana", until: null },
      partial: NONE,
    },
    waiting: waiting(10, 20),
  };
  expect(rulesOf(findings(facts))).toEqual([]);
});

test("what the relay holds behind dead messages is named before anything else is suspected", () => {
  const facts = {
    relays: { instances: [{ ...relay, lastPublishedAt: before(600) }], pause: null, partial: { ...NONE, holds: 2 } },
    waiting: waiting(9, 40),
  };
  const [finding] = findings(facts);
  expect(finding).toMatchObject({ rule: "no_progress", severity: "warn" });
  expect(finding?.diagnosis).toContain("2 aggregates are held behind dead messages");
  expect(finding?.nextStep).toMatch(/^Relays lists what is paused or held/);
});

test("an outbox that others relay needs no relay of ours", () => {
  expect(rulesOf(findings({ relays: null, waiting: waiting(2, 10) }, { mode: "observe" }))).toEqual([]);
});

test("a session that holds locks is not told again as an old transaction", () => {
  const old = { ...holder, preparedId: null, holdsBackNewRows: true };
  expect(rulesOf(findings({ lockHolders: [holder], oldTransactions: [old] }))).toEqual(["locked"]);
});

test("a producer that merely has the table open is no lock holder", () => {
  expect(findings({ lockHolders: [{ ...holder, mode: "RowExclusiveLock", rows: 0 }] })).toEqual([]);
});

test("a head that has just failed, or that nobody waits for, is an ordinary retry", () => {
  expect(findings({ blocked: [{ ...head, headCreatedAt: before(3), firstFailedAt: before(2) }] })).toEqual([]);
  expect(findings({ blocked: [{ ...head, waiting: 0 }] })).toEqual([]);
});

test("a head that waited long behind another and has just failed leaves its aggregate blocked", () => {
  expect(findings({ blocked: [{ ...head, headCreatedAt: before(40), firstFailedAt: before(1) }] })).toHaveLength(1);
});

test("many blocked aggregates are one finding", () => {
  const blocked = Array.from({ length: 40 }, (_, index) => ({ ...head, aggregate: `order/${index}` }));
  const found = findings({ blocked });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ key: "many", aggregates: 40, messages: 320 });
});

test("a finding's key holds no count and no age", () => {
  const keys = (seconds: number) =>
    CASES.flatMap(([, facts]) => evaluate({ ...facts, waiting: waiting(seconds, seconds) })).map(({ key }) => key);
  expect(new Set(keys(100))).toEqual(new Set(keys(200)));
});
