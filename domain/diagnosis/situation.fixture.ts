import type { DiagnosisInput, DiagnosisSettings } from "./cause.ts";
import { diagnose } from "./diagnose.ts";
import type { ConnectorFacts, ConnectorSlot } from "./facts/connector.ts";
import type { Figures } from "./facts/figures.ts";
import type { DeadGroup, FailingHead } from "./facts/messages.ts";
import type { RelayFacts, RelayReading, StreamReading } from "./facts/relays.ts";
import type { LockHolder } from "./facts/sessions.ts";
import type { StoreFacts } from "./facts/store-facts.ts";
import type { NumberedColumn } from "./facts/table.ts";
import { verdictOf } from "./verdict.ts";

export const ASOF = "2026-11-21T03:00:00.000000Z";
export const ago = (seconds: number) => new Date(Date.parse(ASOF) - seconds * 1000).toISOString();

export const SETTINGS: DiagnosisSettings = {
  outbox: "orders",
  mode: "relay",
  sink: "gateway",
  connector: null,
  byLog: false,
  untold: false,
  otherReaders: [],
  failedMeans: "retried",
  warnSeconds: 60,
  failSeconds: 300,
  dead: { warn: 1, fail: 100 },
  relaySilentSeconds: 10,
  restartSeconds: 10,
  noProgressSeconds: 60,
  claimGraceSeconds: 10,
  lockHeldSeconds: 5,
  oldTransactionSeconds: 60,
  scheduledFarSeconds: 604_800,
  clockSkewSeconds: 5,
};

export const RELAY: RelayReading = {
  id: "a",
  host: "shop-1",
  pid: 4242,
  state: "owner",
  startedAt: ago(3600),
  heartbeatAt: ago(1),
  inFlight: 0,
  lastPublishedAt: ago(1),
  lastError: null,
  lastErrorAt: null,
  sinkName: "gateway",
  sinkAddress: "127.0.0.1:8080",
  ordering: "aggregate",
  breaker: null,
  stream: null,
  routes: [],
  foreignPublished: 0,
  foreignUnclaimed: 0,
  foreignSince: null,
  foreignLastAt: null,
  clockOffsetMs: 0,
  settlingSince: null,
};
export const NONE = { eventTypes: 0, aggregates: 0, holds: 0 };
export const relays = (change: Partial<RelayReading> = {}, more: Partial<RelayFacts> = {}): RelayFacts => ({
  instances: [{ ...RELAY, ...change }],
  pause: null,
  partial: NONE,
  ...more,
});

export const FIGURES: Figures = {
  waiting: 0,
  waitingCapped: false,
  waitingBefore: null,
  waitingKnown: true,
  unknownBecause: null,
  tableLocked: false,
  failed: 0,
  dead: 0,
  failedCapped: false,
  deadCapped: false,
  unknownCapped: false,
  deadKnown: true,
  unknown: 0,
  unknownKnown: true,
  oldestSeconds: null,
  oldestDueAt: null,
  agesKnown: true,
  oldestClaimSeconds: null,
  inPerSecond: 5,
  outPerSecond: 5,
  failuresPerSecond: 0,
  judged: { oldestPending: "pass", dead: "pass", failed: "pass" },
};

export const FACTS: StoreFacts = {
  mappingStop: null,
  waiting: { due: 0, overdue: 0, overdueAggregates: 0, capped: false, oldestDueAt: null },
  blocked: [],
  relays: relays(),
  expiredClaims: { claims: 0, messages: 0, capped: false, oldestAt: null, claimedAtKnown: true, owners: [] },
  lockHolders: [],
  readOnly: null,
  oldTransactions: [],
  scheduledFar: null,
  orderless: null,
  leftBehind: null,
  clockSkew: { messages: 0, capped: false, latestAt: null },
  unknownWords: null,
  relayScans: null,
  partitions: null,
  numberedColumns: [],
  dead: [],
  foreignSlots: [],
  connectorSlot: null,
  logReaders: { readers: [], hidden: [] },
  freshMarks: null,
  hidingSettings: [],
  connector: null,
  waitingByType: [],
  monitor: { alive: true, lastSeenAt: ago(1), problem: null },
  consumers: { checks: [], unchecked: 0 },
  consoleClock: { offsetMs: 0 },
};

/** `count` messages wait, the oldest for `seconds`. */
export const waits = (count: number, seconds: number, change: Partial<Figures> = {}): Partial<Figures> => ({
  waiting: count,
  oldestSeconds: seconds,
  oldestDueAt: ago(seconds),
  judged: { ...FIGURES.judged, oldestPending: seconds >= 300 ? "fail" : seconds >= 60 ? "warn" : "pass" },
  ...change,
});
export const due = (count: number, seconds: number): StoreFacts["waiting"] => ({
  due: count,
  overdue: seconds >= 60 ? count : 0,
  overdueAggregates: Math.min(count, 3),
  capped: false,
  oldestDueAt: ago(seconds),
});

export const HOLDER: LockHolder = {
  pid: 77,
  user: "report",
  applicationName: "billing-report",
  clientAddress: "10.0.0.7",
  state: "idle in transaction",
  transactionAt: ago(90),
  queryAt: ago(90),
  query: "SELECT id FROM outbox FOR UPDATE",
  mode: "RowShareLock",
  wholeTable: false,
  keepsOutReaders: false,
  rows: 3,
  blockedPids: [],
  endStatement: "SELECT end_session(77)",
};
export const HEAD: FailingHead = {
  aggregate: "order/ord-1",
  aggregateId: "ord-1",
  headId: "m1",
  eventType: "order.paid",
  attempts: 2,
  headCreatedAt: ago(61),
  firstFailedAt: ago(60),
  nextAttemptAt: new Date(Date.parse(ASOF) + 4_000).toISOString(),
  errorCode: "server_error",
  error: "HTTP 500: no FX rate for XBT",
  waiting: 7,
  waitingCapped: false,
};
export const BREAKER = { code: "unreachable", message: "connection refused", since: ago(120), nextProbeAt: null };
export const ROUTE = {
  kind: "event_type" as const,
  name: "invoice.rendered",
  code: "server_error",
  message: "HTTP 500: template missing",
  since: ago(65),
  nextProbeAt: null,
  aggregates: 4,
};
export const DEAD: DeadGroup = {
  eventType: "invoice.rendered",
  code: "rejected",
  error: "HTTP 422: no such customer",
  fingerprint: "f1",
  messages: 4_656,
  capped: false,
  firstAt: ago(7_200),
  lastAt: ago(3),
  oldestSeconds: 7_200,
  lastMinute: 38,
};

/** The log that our own slot holds. */
export const SLOT: StreamReading = {
  reader: "slot",
  slot: "orders_slot",
  lagBytes: 1_300_000_000,
  walStatus: "extended",
  connected: false,
  since: ago(600),
  problem: null,
};
/** The connector that publishes an outbox of mode operate. */
export const CONNECTOR: ConnectorFacts = {
  connector: "orders-connector",
  address: "http://connect:8083/",
  problem: null,
  state: "RUNNING",
  trace: null,
  tasks: [{ id: 0, state: "RUNNING", trace: null }],
  slot: "orders_slot",
  logKept: true,
  stalledSince: null,
  others: [],
};
export const CONNECTOR_SLOT: ConnectorSlot = {
  slot: "orders_slot",
  found: true,
  active: true,
  walStatus: "reserved",
  lagBytes: 3_000_000,
  unconfirmedBytes: 12_000,
};

/** A column whose numbers are half used. */
export const NUMBERED: NumberedColumn = {
  column: "seq",
  type: "smallint",
  counter: "outbox_seq_seq",
  left: 20_000,
  total: 40_000,
  limitedBy: "type",
  widenStatement: "ALTER TABLE outbox ALTER COLUMN seq TYPE bigint",
};

/** Claims that nobody has touched for a day. */
export const CLAIMS = {
  claims: 20,
  messages: 20,
  capped: false,
  oldestAt: ago(86_400),
  claimedAtKnown: true,
  owners: [],
};

export interface Change {
  settings?: Partial<DiagnosisSettings>;
  figures?: Partial<Figures>;
  facts?: Partial<StoreFacts>;
  outage?: DiagnosisInput["outage"];
}

export function situation({ settings, figures, facts, outage = null }: Change = {}): DiagnosisInput {
  return {
    settings: { ...SETTINGS, ...settings },
    figures: { ...FIGURES, ...figures },
    facts: { ...FACTS, ...facts },
    asOf: ASOF,
    outage,
  };
}

/** The causes and the verdict of a situation. */
export function judged(change: Change = {}) {
  const input = situation(change);
  const { causes, unread } = diagnose(input);
  return { causes, unread, verdict: verdictOf(input, causes), rules: causes.map(({ rule }) => rule) };
}
