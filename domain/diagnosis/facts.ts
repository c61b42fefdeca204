import type { HealthStatus } from "../limits.ts";
import type { Withheld } from "../withheld.ts";

/**
 * What a diagnosis is made of, as read from one store. Instants are RFC 3339 texts of the database's clock. A fact is
 * null where it does not apply to the outbox, and missing where it could not be read.
 */
export interface Figures {
  /** pending + failed + in flight. */
  waiting: number;
  /** There are at least so many. */
  waitingCapped: boolean;
  /** False where counting what waits would read the whole table: then 0 means "not known". */
  waitingKnown: boolean;
  /** Why not, as a clause; null when it is known. */
  unknownBecause: string | null;
  failed: number;
  dead: number;
  /** There are at least so many. */
  failedCapped: boolean;
  deadCapped: boolean;
  unknownCapped: boolean;
  /** False where counting them would read the whole table: then 0 means "not known". */
  deadKnown: boolean;
  unknown: number;
  /** False where counting them would read the whole table: then 0 means "not known". */
  unknownKnown: boolean;
  /** Age of the oldest due message that is not published, in flight included; null when nothing waits. */
  oldestSeconds: number | null;
  /** When it became due; null with oldestSeconds. */
  oldestDueAt: string | null;
  /** False where no column says when a message was created. */
  agesKnown: boolean;
  /** Null when there is no live claim. */
  oldestClaimSeconds: number | null;
  inPerSecond: number | null;
  outPerSecond: number | null;
  failuresPerSecond: number | null;
  /** The figures against their limits, with hysteresis. */
  judged: { oldestPending: HealthStatus; dead: HealthStatus; failed: HealthStatus };
}

export interface WaitingFacts {
  /** Due messages that are still to be sent and that no failed head blocks; of a large table, among the first 10,000 that wait. */
  due: number;
  /** Of these, the ones that were due longer than the outbox's limit. */
  overdue: number;
  overdueAggregates: number;
  /** There are at least so many. */
  capped: boolean;
  oldestDueAt: string | null;
}

export interface FailingHead {
  /** Type and id, as `order/ord-1`. */
  aggregate: string;
  aggregateId: string;
  headId: string;
  eventType: string | null;
  attempts: number;
  /** Long ago where it waited behind an earlier head. */
  headCreatedAt: string | null;
  firstFailedAt: string | null;
  nextAttemptAt: string | null;
  errorCode: string | null;
  error: string | null;
  /** Messages of the aggregate behind the head; null when only a scan could tell. */
  waiting: number | null;
  /** There are at least so many. */
  waitingCapped: boolean;
}

/** The breaker of one route: all its messages fail while others get through. */
export interface RouteBreaker {
  kind: "event_type" | "topic";
  name: string;
  code: string;
  message: string;
  /** First failure of the outage. */
  since: string;
  nextProbeAt: string | null;
  /** Aggregates that failed. */
  aggregates: number;
}

/** A relay's way of reading the log. `connected` and `since` are as it last said; the slot is as the server has it. */
export interface StreamReading {
  slot: string;
  /** Bytes of log that the server keeps for the slot; null when the slot is gone. */
  lagBytes: number | null;
  walStatus: string | null;
  connected: boolean;
  since: string;
}

export interface RelayReading {
  id: string;
  host: string;
  pid: number;
  state: string;
  heartbeatAt: string;
  lastPublishedAt: string | null;
  lastError: string | null;
  sinkName: string;
  sinkAddress: string;
  breaker: { code: string; message: string; since: string; nextProbeAt: string | null } | null;
  /** Null for a relay that polls. */
  stream: StreamReading | null;
  routes: RouteBreaker[];
  /** Claimed messages that someone else had marked as published before our settle. */
  foreignPublished: number;
  /** Rows that someone else published and the relay never claimed, as far as it looked. */
  foreignUnclaimed: number;
  /** First and last sign of someone else; `foreignSince` begins anew after a quiet minute. */
  foreignSince: string | null;
  foreignLastAt: string | null;
  /** The relay host's clock minus the database's. */
  clockOffsetMs: number | null;
  /** Start of the oldest settle that was being written as the relay last said; long where rows are locked. */
  settlingSince: string | null;
}

export interface RelayFacts {
  /** The last heard first. */
  instances: RelayReading[];
  /** A pause that has not run out. */
  pause: { reason: string; by: string; until: string | null } | null;
  partial: Withheld;
}

export interface ExpiredClaims {
  claims: number;
  messages: number;
  /** There are at least so many. */
  capped: boolean;
  /** Start or end of the oldest claim; where that is not known, when the oldest claimed message was created. */
  oldestAt: string | null;
  /** False where the table only says that a message is claimed, and not since when. */
  claimedAtKnown: boolean;
  /** Who held them: owners of claims, or the table's own lock column. */
  owners: string[];
}

export interface LockHolder {
  pid: number;
  user: string | null;
  applicationName: string | null;
  clientAddress: string | null;
  state: string | null;
  transactionAt: string;
  queryAt: string | null;
  /** At most 200 characters, literals left out. */
  query: string | null;
  /** Strongest lock on the table, in the engine's own word. */
  mode: string;
  /** The lock keeps others from writing to the table at all. */
  wholeTable: boolean;
  /** Waiting rows that this transaction has locked or changed; null when they could not be looked at. */
  rows: number | null;
  /** Sessions that wait for this one at this moment. */
  blockedPids: number[];
  /** The store's statement that ends the session. */
  endStatement: string;
}

export interface OldTransaction {
  /** Null for a prepared transaction, which no session holds any more. */
  pid: number | null;
  preparedId: string | null;
  /** The store's statement that ends it and rolls it back. */
  endStatement: string;
  user: string | null;
  applicationName: string | null;
  state: string | null;
  transactionAt: string;
  query: string | null;
  /** It has written: rows with later sequence numbers may be visible before its own. */
  holdsBackNewRows: boolean;
}

export interface CountWithLatest {
  messages: number;
  capped: boolean;
  latestAt: string | null;
}

export interface UnknownWord {
  /** Null when the status is NULL. */
  word: string | null;
  messages: number;
  capped: boolean;
}

/** Dead messages of one type and one kind of error, among the newest 10,000. */
export interface DeadGroup {
  eventType: string | null;
  code: string | null;
  error: string | null;
  /** Of its failure group; null where the table itself holds them. */
  fingerprint: string | null;
  messages: number;
  capped: boolean;
  firstAt: string | null;
  lastAt: string | null;
  /** Died within the last minute. */
  lastMinute: number;
}

/** A replication slot of someone else for which the server keeps log. */
export interface ForeignSlot {
  slot: string;
  /** The store's statement that gives the slot up, and with it its log. */
  dropStatement: string;
  active: boolean;
  lagBytes: number | null;
  walStatus: string | null;
}

/** What keeps the outbox from being published and acted on until a person answers. */
export interface MappingStop {
  /** What is not known, or what changed; a sentence. */
  message: string;
  /** What to answer, and where. */
  remedy: string;
  severity: "warn" | "fail";
}

/** How the relay's claim finds what waits, where that costs more than it should. */
export interface RelayScans {
  /** The index that is walked over; null for the table itself. */
  index: string | null;
  /** The index serves the claim, and holds so many messages that were given up on; null where it does not serve it. */
  dead: number | null;
  deadCapped: boolean;
  tableBytes: number;
  /** SQL of the index to create. */
  sql: string;
}

export interface StoreFacts {
  /** Null where the mapping is sure. */
  mappingStop: MappingStop | null;
  waiting: WaitingFacts;
  blocked: FailingHead[] | null;
  relays: RelayFacts | null;
  expiredClaims: ExpiredClaims | null;
  lockHolders: LockHolder[];
  oldTransactions: OldTransaction[];
  scheduledFar: CountWithLatest | null;
  clockSkew: CountWithLatest | null;
  unknownWords: UnknownWord[] | null;
  relayScans: RelayScans | null;
  dead: DeadGroup[] | null;
  foreignSlots: ForeignSlot[];
  /** What waits of each event type, among the first 10,000; null where the table has no type. */
  waitingByType: { eventType: string; messages: number }[] | null;
  /** The monitor; null where there is no console side to ask, or none has ever run. */
  monitor: { alive: boolean; lastSeenAt: string } | null;
  /** The console's clock minus the database's. */
  consoleClock: { offsetMs: number };
}
export type FactName = keyof StoreFacts;
