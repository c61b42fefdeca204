import type { HealthStatus } from "../limits.ts";
import type { Looked } from "../reconciliation/describe.ts";
import type { LogReaderKind } from "../slot-lag.ts";
import type { Withheld } from "../withheld.ts";

/**
 * Counts, ages and rates of one outbox, read from its store. In this file instants are RFC 3339 on the database's
 * clock. A fact is null if it does not apply to the outbox, and missing if it could not be read.
 */
export interface Figures {
  /** pending + failed + in flight. */
  waiting: number;
  /** True if counting stopped at a cap: there are at least that many. */
  waitingCapped: boolean;
  /** The same at the newest sample, some seconds ago; null if unknown. */
  waitingBefore: number | null;
  /**
   * False if the number or the oldest age could not be read, e.g. without a full scan. A `waiting` of 0 then means "unknown".
   */
  waitingKnown: boolean;
  /** Why `waitingKnown` is false, as a clause; null when it is true. */
  unknownBecause: string | null;
  /** The rows are those that a standby replayed long ago. */
  standsStill?: boolean;
  /** Another session has locked the whole table: nothing of it can be read until that ends. */
  tableLocked: boolean;
  failed: number;
  dead: number;
  /** True if counting stopped at a cap: there are at least that many. */
  failedCapped: boolean;
  deadCapped: boolean;
  unknownCapped: boolean;
  /** False if counting them needs a full scan; then 0 means "unknown". */
  deadKnown: boolean;
  unknown: number;
  /** False if counting them needs a full scan; then 0 means "unknown". */
  unknownKnown: boolean;
  /** Age of the oldest due, unpublished message, including those in flight; null when none waits. */
  oldestSeconds: number | null;
  /** When that message became due; null when `oldestSeconds` is. */
  oldestDueAt: string | null;
  /** False if no column gives the creation time. */
  agesKnown: boolean;
  /** Null when there is no live claim. */
  oldestClaimSeconds: number | null;
  inPerSecond: number | null;
  outPerSecond: number | null;
  failuresPerSecond: number | null;
  /** The figures judged against their limits, with hysteresis. */
  judged: { oldestPending: HealthStatus; dead: HealthStatus; failed: HealthStatus };
}

export interface WaitingFacts {
  /** Due, unsent messages that no failed head blocks. In a large table, counted among the first 10,000 waiting. */
  due: number;
  /** How many of these have been due for longer than the outbox's warning limit. */
  overdue: number;
  overdueAggregates: number;
  /** True if counting stopped at a cap: there are at least that many. */
  capped: boolean;
  oldestDueAt: string | null;
}

/** Most failed heads that a store reads: the longest failed. Of so many nothing says how many there are. */
export const MOST_HEADS = 200;

/** Waiting messages whose types and locks a store reads: the first in order. */
export const LOOKED_AT_WAITING = 10_000;

export interface FailingHead {
  /** Type and id, as `order/ord-1`. */
  aggregate: string;
  aggregateId: string;
  headId: string;
  eventType: string | null;
  attempts: number;
  /** May be long before `firstFailedAt`: the head may have waited behind earlier ones. */
  headCreatedAt: string | null;
  firstFailedAt: string | null;
  nextAttemptAt: string | null;
  errorCode: string | null;
  error: string | null;
  /** Messages of the aggregate behind the head; null if counting them needs a full scan. */
  waiting: number | null;
  /** True if counting stopped at a cap: there are at least that many. */
  waitingCapped: boolean;
}

/** An open breaker of one route: all its messages fail while others get through. */
export interface RouteBreaker {
  kind: "event_type" | "topic";
  name: string;
  code: string;
  message: string;
  /** First failure of the outage. */
  since: string;
  nextProbeAt: string | null;
  /** Aggregates with a failed message or one waiting behind it, among those that the relay has read. */
  aggregates: number;
}

/** How a relay reads the log. `connected` and `since` come from its last heartbeat, the slot's figures from the server. */
export interface StreamReading {
  reader: LogReaderKind;
  /** Name of the slot or of the reader. */
  slot: string;
  /** Bytes of log not read yet; null if the slot is gone, or for a binlog if that is unknown. */
  lagBytes: number | null;
  walStatus: string | null;
  connected: boolean;
  since: string;
  /** Why the log is not read, as a sentence; null while it is, and while that is expected to pass in a moment. */
  problem: string | null;
}

export interface RelayReading {
  id: string;
  host: string;
  pid: number;
  state: string;
  startedAt: string;
  heartbeatAt: string;
  /** Messages that are with the sink, not confirmed yet. */
  inFlight: number;
  lastPublishedAt: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
  sinkName: string;
  sinkAddress: string;
  /** What it keeps in order: `none`, or a kind of order per aggregate; null if it did not say. */
  ordering: string | null;
  breaker: { code: string; message: string; since: string; nextProbeAt: string | null } | null;
  /** Null for a relay that polls. */
  stream: StreamReading | null;
  routes: RouteBreaker[];
  /** Messages that this relay had claimed and someone else marked as published before its settle. */
  foreignPublished: number;
  /** Rows that someone else published and this relay never claimed, among those that it sampled. */
  foreignUnclaimed: number;
  /** First and last sign of another publisher; `foreignSince` restarts after a minute without one. */
  foreignSince: string | null;
  foreignLastAt: string | null;
  /** The relay host's clock minus the database's. */
  clockOffsetMs: number | null;
  /** Start of the oldest unfinished settle, as of the last heartbeat. If it is long ago, rows are locked. */
  settlingSince: string | null;
}

export interface RelayFacts {
  /** Latest heartbeat first. */
  instances: RelayReading[];
  /** A pause of the whole outbox that has not expired. */
  pause: { reason: string; by: string; until: string | null } | null;
  /** When the outbox or a part of it was last seen paused: what waited until then was held back. Left out: never. */
  pausedUntil?: string | null;
  partial: Withheld;
}

export interface ExpiredClaims {
  claims: number;
  messages: number;
  /** True if counting stopped at a cap: there are at least that many. */
  capped: boolean;
  /** Start or expiry of the oldest claim; if that is unknown, creation time of the oldest claimed message. */
  oldestAt: string | null;
  /** False if the table marks a message as claimed without saying since when. */
  claimedAtKnown: boolean;
  /** Who held them, from the claims or from the table's own lock column. */
  owners: string[];
}

export interface LockHolder {
  /** Null for a prepared transaction, which has no session. */
  pid: number | null;
  /** Left out for a session. */
  preparedId?: string;
  user: string | null;
  applicationName: string | null;
  clientAddress: string | null;
  state: string | null;
  transactionAt: string;
  queryAt: string | null;
  /** At most 200 characters, without literals. */
  query: string | null;
  /** Strongest lock on the table, in the engine's own word. */
  mode: string;
  /** True if the lock blocks every writer of the table, by itself or through `queuedSessions`. */
  wholeTable: boolean;
  /** True if nobody can read the table either: a reading of it shows that the lock is gone. */
  keepsOutReaders: boolean;
  /** Sessions that wait behind this one for a lock on the whole table, so that all others wait too: the next one first. */
  queuedSessions?: string[];
  /** Waiting rows that this transaction has locked or changed; null if they could not be checked. */
  rows: number | null;
  /** Sessions waiting for this one now. */
  blockedPids: number[];
  /** The store's statement that ends the session or the prepared transaction. */
  endStatement: string;
  /** The owner's own statement that gives up the lock, where the end of its transaction does not. */
  unlockStatement?: string;
  /** The store's statement that lists the names of prepared transactions, where it is not known which is this one's. */
  namesStatement?: string;
}

export interface OldTransaction {
  /** Null for a prepared transaction, which has no session. */
  pid: number | null;
  preparedId: string | null;
  /** The store's statement that ends it and rolls it back. */
  endStatement: string;
  /** As of a lock holder. */
  namesStatement?: string;
  user: string | null;
  applicationName: string | null;
  state: string | null;
  transactionAt: string;
  query: string | null;
  /** True if it has written: rows with later sequence numbers may become visible before its own. */
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

/** Dead messages of one type and one kind of error, among the newest that were read: at most 10,000, of the table 5,000. */
export interface DeadGroup {
  eventType: string | null;
  code: string | null;
  error: string | null;
  /** Fingerprint of the failure group; null if the dead messages are kept in the outbox table itself. */
  fingerprint: string | null;
  messages: number;
  capped: boolean;
  firstAt: string | null;
  lastAt: string | null;
  /** Messages that died in the last minute. */
  lastMinute: number;
}

/** Another program's replication slot for which the server keeps log. */
export interface ForeignSlot {
  slot: string;
  /** The store's statement that drops the slot and releases its log. */
  dropStatement: string;
  active: boolean;
  lagBytes: number | null;
  walStatus: string | null;
}

/** The slot that a connector of Debezium reads, as the server has it. */
export interface ConnectorSlot {
  slot: string;
  /** False: the server has no slot of that name. Everything below is null or false then. */
  found: boolean;
  active: boolean;
  walStatus: string | null;
  /** Log that the server keeps for the slot. */
  lagBytes: number | null;
  /** Log that the connector has not confirmed. */
  unconfirmedBytes: number | null;
}

/** A session of another program to which the server sends rows of the outbox's table from the log. */
export interface LogReader {
  slot: string;
  pid: number;
  user: string | null;
  applicationName: string | null;
  clientAddress: string | null;
  connectedAt: string;
  /** Publications that name the table. */
  publications: string[];
}

export interface LogReaders {
  /** Only those whose publication names the table: one of all tables says nothing about this one. */
  readers: LogReader[];
  /** Slots that are read by sessions whose command could not be read. */
  hidden: string[];
}

/** Rows that were marked as published within the last minute, since the last change-over. */
export interface FreshMarks {
  messages: number;
  capped: boolean;
  /** Column with the mark. */
  column: string;
  lastAt: string | null;
}

/** Another connector of the same Kafka Connect that reads the same database. */
export interface OtherConnector {
  connector: string;
  state: string;
  slot: string | null;
  /** Sends the outbox's table through Debezium's outbox event router; null if its configuration does not say. */
  publishes: boolean | null;
}

export interface ConnectorTask {
  id: number;
  /** RUNNING, PAUSED, FAILED, UNASSIGNED, RESTARTING, or another word of Connect. */
  state: string;
  /** Passwords are masked. */
  trace: string | null;
}

/** The connector of Debezium that publishes the outbox, as Kafka Connect tells of it. */
export interface ConnectorFacts {
  connector: string;
  /** Address of Kafka Connect, without a password. */
  address: string;
  /** Why its state is not known, as a sentence; null if it is. `absent`: Connect has no such connector. */
  problem: { kind: "absent" | "unreachable" | "refused" | "busy" | "strange"; message: string } | null;
  /** RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED, RESTARTING, or another word of Connect; null if it is not known. */
  state: string | null;
  trace: string | null;
  tasks: ConnectorTask[];
  /** Name of its replication slot; null for a connector without one, or if it is not known. */
  slot: string | null;
  /** Since when rows arrive and the offset does not move; null if it moves, nothing arrives, or it is not known. */
  stalledSince: string | null;
  /** Null if Kafka Connect did not list them. */
  others: OtherConnector[] | null;
}

/** A doubt about the mapping that stops publishing and actions until a person decides. */
export interface MappingStop {
  /** What is unknown or has changed; a sentence. */
  message: string;
  /** What to decide, and where. */
  remedy: string;
  severity: "warn" | "fail";
}

/** How the relay's claim finds waiting messages, if that costs more than it should. */
export interface RelayScans {
  /** Index that the claim walks over; null: the table itself. */
  index: string | null;
  /** Dead messages in the index, if it serves the claim; null if it does not. */
  dead: number | null;
  deadCapped: boolean;
  tableBytes: number;
  /** SQL of the index to create. */
  sql: string;
  /** Indexes of the table that no statement may use, because their build has failed or still runs. */
  invalid?: readonly string[];
}

/** Partitions of the table by ranges of one time. */
export interface PartitionFacts {
  /** Partitions that follow the current one without a gap. */
  ahead: number;
  /** Time until inserts have no partition but the default one, by the first gap; null if there is no end. */
  runwaySeconds: number | null;
  hasDefault: boolean;
  /** Rows in the default partition, about; null without one. */
  defaultRows: number | null;
  /** Partitions whose detach is not finished. */
  detaching: string[];
  /** A program that creates partitions itself; null if none was found. */
  managedBy: string | null;
}

/** One check of an inbox against this outbox. */
export interface ConsumerFacts {
  inbox: string;
  withinSeconds: number;
  /** Published longer ago than that. */
  notProcessed: number;
  /** Older published messages were not looked up. */
  capped: boolean;
  reasons: { absent: number; unprocessed: number; failed: number };
  /** Of those, the longest published. `overdueAt`: when its time was up; `atLeast`: it may have been published earlier. */
  oldest: { publishedSeconds: number; atLeast: boolean; overdueAt: string } | null;
  checked: Looked & { at: string };
  /** Newest rows of the inbox, and how many of them name a message of no outbox; null if they could not be judged. */
  rows: { checked: number; unmatched: number } | null;
}

export interface ConsumersFacts {
  checks: ConsumerFacts[];
  /** Inboxes that are to be checked and could not be judged now. */
  unchecked: number;
}

/** A relay whose last heartbeat is older than this has missed some. */
export const SILENT_SOON_SECONDS = 4;

/** Why the database takes no writes. */
export interface NoWrites {
  /** Clause. */
  reason: string;
  /** A heartbeat was tried in the silent relay's place, and `reason` is the server's answer. False: a setting says so. */
  tried: boolean;
  /** A relay still holds a lease: it runs, and only its heartbeat is known to be refused. */
  leased: boolean;
  /** True if the reason meets other writes as well, as a full disk does. */
  everywhere: boolean;
  /** What to do, where the reason needs another step than the usual ones; a sentence. */
  remedy?: string;
}

export interface MonitorFacts {
  alive: boolean;
  /** Null if the console's database does not say. */
  lastSeenAt: string | null;
  /** Sentence: why the console's own database cannot be read or written, which stops a monitor that runs. */
  problem: string | null;
}

export interface StoreFacts {
  /** Null if the mapping is not in doubt. */
  mappingStop: MappingStop | null;
  waiting: WaitingFacts;
  blocked: FailingHead[] | null;
  relays: RelayFacts | null;
  expiredClaims: ExpiredClaims | null;
  lockHolders: LockHolder[];
  /** Null if the database takes writes, or no relay of ours would write. */
  readOnly: NoWrites | null;
  oldTransactions: OldTransaction[];
  scheduledFar: CountWithLatest | null;
  clockSkew: CountWithLatest | null;
  unknownWords: UnknownWord[] | null;
  relayScans: RelayScans | null;
  /** Null for a table that is not partitioned by ranges of one time. */
  partitions: PartitionFacts | null;
  dead: DeadGroup[] | null;
  foreignSlots: ForeignSlot[];
  /** Null where no connector publishes the outbox, or its slot has no known name. */
  connectorSlot: ConnectorSlot | null;
  /** Null where the store does not say which tables a reader of its log gets. */
  logReaders: LogReaders | null;
  /** Null where no connector publishes the outbox, or no column has the time of publication. */
  freshMarks: FreshMarks | null;
  /** Waiting messages by event type, among the first `LOOKED_AT_WAITING`; null if the table has no type. */
  waitingByType: { eventType: string; messages: number }[] | null;
  /** Null if there is no console database to ask, or no monitor has ever run. */
  monitor: MonitorFacts | null;
  /** Null if no inbox of the outbox says within what time it processes messages. */
  consumers: ConsumersFacts | null;
  /** Null where no connector publishes the outbox. */
  connector: ConnectorFacts | null;
  /** The console's clock minus the database's. */
  consoleClock: { offsetMs: number };
}
export type FactName = keyof StoreFacts;
