import fc from "fast-check";
import { judge } from "../figures/limits.ts";
import type { DiagnosisInput, DiagnosisSettings } from "./cause.ts";
import type { Figures } from "./facts/figures.ts";
import type { RelayFacts, RelayReading } from "./facts/relays.ts";
import type { StoreFacts } from "./facts/store-facts.ts";
import {
  ago,
  CLAIMS,
  DEAD,
  FACTS,
  FIGURES,
  HEAD,
  HOLDER,
  NONE,
  NUMBERED,
  RELAY,
  ROUTE,
  SETTINGS,
  SLOT,
  situation,
} from "./situation.fixture.ts";

/** Counting stops here, in these situations: whatever reports this number must say that it is a lower bound. */
export const CAP = 43_210;

/** Sums of those below the cap stay below it. */
const count = fc.constantFrom(0, 1, 2, 7, 1_201, CAP);
const counted = fc.constantFrom(1, 2, 7, CAP);
const seconds = fc.constantFrom(0, 3, 14, 45, 90, 400, 100_000);
const instant = seconds.map(ago);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
/** What rows and servers may hold. */
const name = fc.constantFrom("order.paid", "", " ", "a".repeat(200), "bidi\u202edecrever");
const error = fc.constantFrom("HTTP 500: boom.", "", "two\nlines", "long ".repeat(60), "ends so; ");
const code = fc.constantFrom("unreachable", "auth", "throttled", "timeout", "unroutable", "server_error", "new_code");

const settings: fc.Arbitrary<DiagnosisSettings> = fc.record({
  ...constants(SETTINGS),
  mode: fc.constantFrom("relay", "relay", "operate", "observe"),
  failedMeans: fc.constantFrom("retried", "final", "unknown"),
  warnSeconds: fc.constantFrom(60, 0),
  failSeconds: fc.constantFrom(300, 0),
  dead: fc.constantFrom({ warn: 1, fail: 100 }, { warn: 0, fail: 0 }),
});

const FAILED_LIMITS = { warn: 2, fail: 1_000 };

function figuresOf({ warnSeconds, failSeconds, dead }: DiagnosisSettings): fc.Arbitrary<Figures> {
  const ages = { warn: warnSeconds, fail: failSeconds };
  return fc
    .record({
      ...constants(FIGURES),
      waiting: count,
      failed: count,
      dead: count,
      unknown: fc.constantFrom(0, 0, 1, CAP),
      age: maybe(seconds),
      waitingKnown: fc.constantFrom(true, true, true, false),
      deadKnown: fc.constantFrom(true, true, true, false),
      oldestClaimSeconds: maybe(seconds),
      inPerSecond: maybe(fc.constantFrom(0, 0.3, 5, 900)),
      outPerSecond: maybe(fc.constantFrom(0, 0.3, 5, 900)),
      failuresPerSecond: maybe(fc.constantFrom(0, 5)),
    })
    .map(({ age, ...figures }) => {
      const waits = figures.waiting > 0;
      const waiting = figures.waitingKnown ? figures.waiting : 0;
      const failed = Math.min(figures.failed, waiting);
      const deadCount = figures.deadKnown ? figures.dead : 0;
      const oldestSeconds = waits ? age : null;
      return {
        ...figures,
        waiting,
        failed,
        dead: deadCount,
        waitingCapped: waiting === CAP,
        failedCapped: failed === CAP,
        deadCapped: deadCount === CAP,
        unknownCapped: figures.unknown === CAP,
        oldestSeconds,
        oldestDueAt: oldestSeconds === null ? null : ago(oldestSeconds),
        judged: {
          oldestPending: oldestSeconds === null ? "pass" : judge(oldestSeconds, ages),
          dead: judge(deadCount, dead),
          failed: judge(failed, FAILED_LIMITS),
        },
      };
    });
}

const breaker = fc.record({ code, message: error, since: instant, nextProbeAt: maybe(fc.constant(ago(-90))) });
const route = fc.record({
  ...constants(ROUTE),
  kind: fc.constantFrom("event_type", "topic"),
  name,
  code,
  message: error,
  aggregates: counted,
});
const relay: fc.Arbitrary<RelayReading> = fc.record({
  ...constants(RELAY),
  id: fc.constantFrom("a", "b", "c"),
  host: fc.constant("shop"),
  pid: fc.constantFrom(1, 2, 3),
  state: fc.constantFrom("owner", "owner", "holding", "paused", "standby", "stopped"),
  startedAt: instant,
  heartbeatAt: fc.constantFrom(1, 1, 1, 5, 20).map(ago),
  inFlight: fc.constantFrom(0, 1, 7),
  lastPublishedAt: maybe(instant),
  lastError: maybe(error),
  lastErrorAt: maybe(instant),
  sinkAddress: fc.constantFrom("127.0.0.1:8080", "10.0.0.9:8080"),
  ordering: fc.constantFrom("aggregate", "aggregate", "none", null),
  breaker: maybe(breaker),
  routes: fc.array(route, { maxLength: 2 }),
  foreignPublished: fc.constantFrom(1, 2, 7),
  foreignUnclaimed: fc.constantFrom(0, 1, 7),
  foreignLastAt: maybe(instant),
  settlingSince: maybe(instant),
});
/** Of the server, so the same whichever relay tells of it. */
const stream = maybe(fc.record({ ...constants(SLOT), lagBytes: maybe(fc.constantFrom(0, 1_300_000_000)) }));
const instances = fc
  .tuple(fc.uniqueArray(relay, { maxLength: 3, selector: ({ id }) => id }), stream)
  .map(([some, read]) => byHeartbeat(some.map((one) => ({ ...one, stream: read }))));
const relays: fc.Arbitrary<RelayFacts> = fc.record({
  instances,
  pause: fc.option(
    fc.record({ reason: fc.constantFrom("deploy", "Deploy."), by: fc.constant("ann"), until: maybe(instant) }),
    {
      freq: 3,
    },
  ),
  partial: fc.constantFrom(NONE, { eventTypes: 1, aggregates: 2, holds: 1 }),
});

function byHeartbeat(instances: RelayReading[]): RelayReading[] {
  return instances.toSorted((one, other) => other.heartbeatAt.localeCompare(one.heartbeatAt));
}

const head = fc.record({
  ...constants(HEAD),
  aggregate: fc.constantFrom("order/1", `order/${"9".repeat(200)}`),
  eventType: maybe(name),
  attempts: fc.constantFrom(1, 2, 7),
  firstFailedAt: maybe(instant),
  errorCode: maybe(code),
  error: maybe(error),
  waiting: maybe(count),
});
const holder = fc.record({
  ...constants(HOLDER),
  pid: fc.nat({ max: 99 }),
  wholeTable: fc.boolean(),
  rows: maybe(fc.constantFrom(0, 1, 3)),
  blockedPids: listOf(5, 6),
  queuedSessions: listOf("migration (pid 7)", "vacuum (pid 8)"),
  elsewhere: fc.option(fc.constant("the table stats"), { nil: undefined }),
});
const dead = fc.record({
  ...constants(DEAD),
  eventType: maybe(name),
  code: maybe(code),
  error: maybe(error),
  messages: counted,
  lastAt: maybe(instant),
  lastMinute: fc.constantFrom(0, 1, 38),
});

/** Facts of every rule that counts something; each may be missing, as if it could not be read. */
const facts: fc.Arbitrary<Partial<StoreFacts>> = fc.record(
  {
    mappingStop: fc.constant(null),
    waiting: fc
      .record({ due: counted, overdue: count, overdueAggregates: count, oldestDueAt: maybe(instant) })
      .map((found) => ({ ...found, overdue: Math.min(found.overdue, found.due) }))
      .map(capped("due")),
    blocked: maybe(fc.array(head.map(cappedHead), { maxLength: 7 })),
    relays: maybe(relays),
    expiredClaims: maybe(
      fc
        .record({ ...constants(CLAIMS), messages: counted, claimedAtKnown: fc.boolean(), owners: listOf("a") })
        .map(capped("messages")),
    ),
    lockHolders: fc.array(holder, { maxLength: 2 }),
    readOnly: fc.option(
      fc.record({
        reason: fc.constant("the disk is full"),
        ...{ tried: fc.boolean(), leased: fc.boolean(), everywhere: fc.boolean() },
      }),
      { freq: 2 },
    ),
    orderless: maybe(
      fc.record({ column: fc.constant("seq"), messages: count, oldestAt: maybe(instant) }).map(capped("messages")),
    ),
    leftBehind: maybe(
      fc
        .record({ how: fc.constantFrom("renamed", "detached"), messages: counted, maybePublished: fc.boolean() })
        .map(capped("messages"))
        .map((one) => ({ table: "shop.outbox", earlier: "shop.outbox_old", ...one })),
    ),
    scheduledFar: maybe(
      fc.record({ messages: count, latestAt: maybe(fc.constant(ago(-800_000))) }).map(capped("messages")),
    ),
    clockSkew: maybe(fc.record({ messages: count, latestAt: maybe(fc.constant(ago(-60))) }).map(capped("messages"))),
    unknownWords: maybe(
      fc.array(fc.record({ word: maybe(name), messages: counted }).map(capped("messages")), { maxLength: 2 }),
    ),
    numberedColumns: fc.array(
      fc.record({
        ...constants(NUMBERED),
        ...{ left: maybe(fc.constantFrom(0, 1, 400, 40_000)), limitedBy: fc.constantFrom("type", "counter") },
        widenStatement: maybe(fc.constant("ALTER TABLE")),
      }),
      { maxLength: 1 },
    ),
    relayScans: maybe(
      fc
        .record({
          index: maybe(fc.constant("outbox_pkey")),
          dead: maybe(counted),
          tableBytes: fc.constant(2e7),
          sql: fc.constant("CREATE INDEX"),
        })
        .map((scans) => ({ ...scans, deadCapped: scans.dead === CAP })),
    ),
    partitions: maybe(
      fc.record({
        ahead: fc.constantFrom(0, 1, 2),
        runwaySeconds: maybe(seconds),
        hasDefault: fc.boolean(),
        defaultRows: maybe(count.map((rows) => Math.min(rows, 1_201))),
        detaching: listOf("outbox_p1"),
        managedBy: fc.constantFrom(null, "pg_partman"),
      }),
    ),
    dead: maybe(fc.array(dead.map(capped("messages")), { maxLength: 3 })),
    waitingByType: maybe(
      fc.array(fc.record({ eventType: name, messages: fc.constantFrom(1, 2, 7) }), { maxLength: 2 }),
    ),
    monitor: maybe(
      fc.record({
        alive: fc.boolean(),
        lastSeenAt: maybe(instant),
        problem: maybe(error.filter((text) => text !== "")),
      }),
    ),
    consoleClock: fc.constantFrom(0, -90_000).map((offsetMs) => ({ offsetMs })),
  },
  { requiredKeys: [] },
);

function capped<Key extends string>(key: Key) {
  return <Fact extends Record<Key, number>>(fact: Fact) => ({ ...fact, capped: fact[key] === CAP });
}

function cappedHead<Head extends { waiting: number | null }>(one: Head) {
  return { ...one, waitingCapped: one.waiting === CAP };
}

/** The first ones of these values, or none. */
function listOf<T>(...values: T[]): fc.Arbitrary<T[]> {
  return fc.nat({ max: values.length }).map((size) => values.slice(0, size));
}

/** An arbitrary of each value, as it is. */
function constants<T extends object>(values: T): { [Key in keyof T]: fc.Arbitrary<T[Key]> } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fc.constant(value)])) as {
    [Key in keyof T]: fc.Arbitrary<T[Key]>;
  };
}

/** Anything that one reading of an outbox may bring. */
export const anySituation: fc.Arbitrary<DiagnosisInput> = settings.chain((chosen) =>
  fc.record({ figures: figuresOf(chosen), facts, isCalm: fc.boolean() }).map(({ figures, facts: read, isCalm }) => {
    const input = situation({ settings: chosen, figures });
    return { ...input, facts: isCalm ? { ...FACTS, ...read } : read };
  }),
);
