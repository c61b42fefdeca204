import type { Failure } from "#domain/failure.ts";
import type { RelayStream, SlotStatus } from "./stream-port.ts";

/** A message as the relay needs it. Text values are exactly as stored. */
export interface OutgoingMessage {
  /** Encoded primary key: the id of the API and of every header. */
  id: string;
  /** Value of the `id` role as text: what consumers know the message by. */
  eventId: string;
  /** Aggregate type and id as one key; null when the mapping has no aggregate or the row none: then it is its own lane. */
  aggregateKey: string | null;
  aggregateType: string | null;
  aggregateId: string | null;
  eventType: string | null;
  topic: string | null;
  /** Text of the headers column, JSON where it is JSON. */
  headers: string | null;
  /** Text as stored; base64 when `payloadKind` is `binary`. */
  payload: string | null;
  /** `json`: the column's type says that it is JSON; `text`: anything; `binary`: bytes, carried as base64. */
  payloadKind: "json" | "text" | "binary";
  /** More columns of the row, by the names of `relay.route.fields`. */
  fields?: Readonly<Record<string, string | null>>;
  /** RFC 3339 in UTC, up to microseconds. */
  createdAt: string | null;
  /** The row named a time before which it must not be sent, so that its place in the order says nothing. */
  scheduled: boolean;
  /** Position in the order of first deliveries: opaque, compare with `RelayTable.compareOrder`. */
  order: OrderKey;
  /** Attempts that failed so far. */
  attempts: number;
  /** It came by the retry path: something is kept beside its row, which its success ends. */
  retried?: boolean;
}

/** [order or created time, id], both as text that the database gave and takes back. */
export type OrderKey = readonly [string, string];

/** One batch in flight: a row of outbox_console.claim. */
export interface Claim {
  token: string;
  messages: OutgoingMessage[];
}

export interface Lease {
  outbox: string;
  owner: string;
  /** Of the term: one for all its partitions, higher than that of any earlier term of the outbox. */
  epoch: number;
  /** Ascending; all of domain/partitions.ts when the owner is alone. */
  partitions: readonly number[];
  /** Lease length; the owner stops publishing at two thirds of it, on its own monotonic clock. */
  leaseMs: number;
}

export interface LeaseRequest {
  owner: string;
  leaseMs: number;
  /** True: takes what is free beside other owners. False or left out: the whole outbox or nothing. */
  share?: boolean;
  /** With `share`: at most so many partitions; what the owner has beyond that is given up. */
  most?: number;
}

/** Who shares an outbox at this moment. */
export interface ShareView {
  /** Ids of instances that take part, whether they own anything or not. */
  members: readonly string[];
  /** By owner: how many partitions its live lease covers. */
  owned: ReadonlyMap<string, number>;
  /** Partitions that no live lease covers. */
  free: number;
}

/** A message of a claim that was ended because its owner's term is over. */
export interface OrphanedMessage {
  id: string;
  /** Its claim said that it was alone with the sink. */
  alone: boolean;
  /** Whose claim it was; the new owner's own where it was left over from its last term. */
  owner: string;
  /** When the claim began, as the database says it. */
  startedAt: string;
}

export type AcquiredLease = Lease & { orphaned: OrphanedMessage[] };

export type MessageOutcome =
  | { kind: "published"; startedAt: Date; durationMs: number }
  /** Burned one attempt; `nextAttemptInMs` is counted on the database clock. */
  | { kind: "failed"; startedAt: Date; durationMs: number | null; failure: Failure; nextAttemptInMs: number }
  | { kind: "dead"; startedAt: Date; durationMs: number | null; failure: Failure }
  /** Not tried, or tried in vain because of the environment: the claim ends and nothing is burned. */
  | { kind: "given_back" };

export interface SettleEntry {
  token: string;
  message: OutgoingMessage;
  outcome: MessageOutcome;
}

export interface SettleRequest {
  lease: Lease;
  entries: readonly SettleEntry[];
  /** Claims of which nothing is left in memory after these entries. */
  endedTokens: readonly string[];
  /** An earlier settle of the same entries may have been committed: what is found marked was marked by us. */
  afterDoubt: boolean;
}

export interface SettleResult {
  /** Ids marked published by this settle. */
  published: string[];
  /** Ids whose claim was gone (taken over, or an operator forced it): nothing was written for them. */
  fenced: string[];
  /** Ids that were claimed but found published or gone when they were to be marked: a foreign relay. */
  foreign: string[];
  /** created-to-published of published ids whose creation time is known, on the database clock, ms. */
  latenciesMs: number[];
}

export interface ClaimRequest {
  lease: Lease;
  /** Read rows from this position on, itself included; null reads from the start. */
  after: OrderKey | null;
  /** At most this many messages. */
  limit: number;
  /** Encoded ids that are in memory already. */
  excludeIds: readonly string[];
  /** Aggregates that must wait: blocked behind a failed head, or with enough in memory. */
  excludeAggregates: readonly string[];
  /** Stop adding messages to a claim when their payloads exceed this, after the first. */
  maxBytes: number;
  /** Also say which unsent row is the last of all, so that the mark can pass rows that are left out. */
  wantLast: boolean;
  /** Also say since when the table's own writers are at work; see Horizon. */
  wantWriters?: boolean;
}

/** Transactions of a snapshot, as numbers that never wrap. */
export interface Horizon {
  /** All transactions below have ended; of a snapshot not later than the read's. */
  xmin: bigint;
  /** No transaction from here on had begun; of a snapshot not earlier than the read's. */
  xmax: bigint;
  /** All transactions below that have a place in the order of the table had ended; at least `xmin`, where it was asked for. */
  writersXmin?: bigint;
}

export interface ClaimResult {
  /** Null when nothing was found. */
  claim: Claim | null;
  /** The page was full: there may be more behind the last message. */
  more: boolean;
  /** For advancing the low-water mark. */
  horizon: Horizon;
  /** The last unsent row before the read, when it was asked for and there is one. */
  last: OrderKey | null;
  /** The database clock, ms since 1970. */
  databaseTimeMs: number;
}

export interface UnreadRow {
  found: OrderKey | null;
  /** Where to look on; null when all was looked at. */
  next: OrderKey | null;
}

/** What a failed, not dead, message keeps beside its row. */
export interface RetryEntry {
  id: string;
  aggregateKey: string | null;
  eventType: string | null;
  order: OrderKey | null;
  attempts: number;
  /** Ms until it is due on the database clock; 0 or less is due. */
  dueInMs: number;
}

/** A message that was with a relay when it died, more than once: it may only be published alone. */
export interface SuspectEntry {
  id: string;
  aggregateKey: string | null;
  eventType: string | null;
  order: OrderKey;
  /** It was alone with every relay that died, often enough: it is to be given up on. */
  guilty: boolean;
  /** When the claim began whose relay died last. */
  diedAt: Date;
  /** Neither scheduled for later nor waiting for its next attempt. */
  due: boolean;
}

/** Something that is paused on purpose: the whole outbox, an event type or an aggregate, by its key. */
export interface PauseEntry {
  scope: "outbox" | "event_type" | "aggregate";
  /** Empty for the whole outbox. */
  subject: string;
  reason: string;
  by: string;
  until: string | null;
  /** The dead message behind which the relay itself holds the aggregate. */
  messageId: string | null;
}

export interface RelayOrdering {
  kind: "aggregate" | "best_effort" | "none";
  reason: string | null;
}

/** The relay's side of one outbox table. Every method is one short transaction; none waits for a broker. */
export interface RelayTable {
  readonly outbox: string;
  readonly ordering: RelayOrdering;
  /** Attempts from which a message is dead: the relay's limit, or the table's own where that is lower. */
  readonly maxAttempts: number;
  /** The log, for a relay that notices messages in it. */
  readonly stream?: RelayStream;
  compareOrder(left: OrderKey, right: OrderKey): number;
  /**
   * Begins a new term over what nobody else's live lease covers; null when that is nothing. The owner's own term before
   * it ends with it. Raises the epoch and ends every claim whose term is over, whose messages it returns.
   * Those of a dead owner become suspects.
   */
  acquireLease(request: LeaseRequest): Promise<AcquiredLease | null>;
  /** `silentMs`: an instance whose heartbeat is older takes no part. */
  readShares(input: { silentMs: number }): Promise<ShareView>;
  /** False when the term is over: someone else has the lease, or it was taken again. */
  renewLease(lease: Lease): Promise<boolean>;
  /** Ends the lease at once, after the last settle. */
  releaseLease(lease: Lease): Promise<void>;
  /** Throws LeaseLostError when the term is over. */
  claimNew(request: ClaimRequest): Promise<ClaimResult>;
  /** Whether `claimNew` would find anything now. Claims nothing and does not look at the lease; cheaper than a claim. */
  hasNew(request: ClaimRequest): Promise<boolean>;
  /**
   * Looks for the first row that `claimNew` would find, from `after` on, over a bounded number of unsent rows: those that
   * stay in the table are many. Claims nothing.
   */
  findUnread(request: ClaimRequest): Promise<UnreadRow>;
  /** Claims failed messages that are due, oldest due first. Throws LeaseLostError. */
  claimDueRetries(input: { lease: Lease; limit: number; excludeIds: readonly string[] }): Promise<Claim | null>;
  /** Every failed message of the term's partitions that waits: to know the blocked aggregates after a takeover and after operators acted. */
  listRetries(input: { lease: Lease }): Promise<RetryEntry[]>;
  /** Messages of the term's partitions that may only be published alone, those first that did the least. */
  listSuspects(input: { lease: Lease }): Promise<SuspectEntry[]>;
  /** How many messages are known that were with a relay when it died; as of the last listSuspects. */
  readonly suspectCount: number;
  /** Claims the suspect, or an earlier message of its aggregate; a claim that says that it is alone. Throws LeaseLostError. */
  claimSuspect(input: { lease: Lease; suspect: SuspectEntry }): Promise<Claim | null>;
  /** Writes outcomes in one transaction, fenced by the claim rows. Retries 40P01 and 55P03 itself. */
  settle(request: SettleRequest): Promise<SettleResult>;
  /** Takes back attempts that were burned before it showed that the environment was to blame. */
  undoAttempts(input: { lease: Lease; undo: readonly { id: string; attempts: number }[] }): Promise<void>;
  /** Ends claims of this term that the owner knows nothing of: a commit that was in doubt. */
  endStrayClaims(input: { lease: Lease; knownTokens: readonly string[] }): Promise<void>;
  /** Which of these messages were tried or acted on before: their late arrival is no late commit. */
  withHistory(ids: readonly string[]): Promise<string[]>;
  /** What is paused. Reads and claims of this table keep to what was read last. */
  readPauses(): Promise<readonly PauseEntry[]>;
  /** Also tells what an idle relay would else have to ask for. `silentMs` as in `readShares`. */
  writeHeartbeat(beat: RelayHeartbeat, look: { silentMs: number }): Promise<BeatView>;
  /** Rows published by someone else in the last minute, as far as the table can tell; 0 when none. */
  foreignPublishes(): Promise<number>;
  /** Calls `onHint` when something is said on a channel: never relied upon, and gone while its connection is. */
  listen(input: { channel: string; onHint: () => void; onError: (error: unknown) => void }): { stop(): Promise<void> };
  close(): Promise<void>;
}

/** The term of a lease is over: whoever holds it must stop at once and write nothing more. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** How a relay's reading of the log stands. */
export interface StreamState extends SlotStatus {
  connected: boolean;
  /** RFC 3339: since when it is connected, or not. */
  since: string;
}

/** What a heartbeat finds. */
export interface BeatView {
  shares: ShareView;
  /** Differs from the last one when a pause has begun, changed or ended. */
  pauses: string;
  /** Differs from the last one when what waits for a retry has changed. */
  retries: string;
}

export interface RelayHeartbeat {
  id: string;
  host: string;
  pid: number;
  version: string;
  state: "owner" | "standby" | "paused" | "holding" | "stopping" | "stopped";
  source: string;
  sink: { name: string; kind: string; address: string };
  published: number;
  failures: number;
  inFlight: number;
  lastPublishedAt: Date | null;
  lastError: string | null;
  breaker: { code: string; message: string; since: string; nextProbeAt: string | null } | null;
  lateCommits: number;
  /** Of a relay that reads the log. */
  stream: StreamState | null;
  /** How many partitions it owns. */
  partitions: number;
  /** Cumulative counts per latency bucket, see domain/latency-histogram.ts. */
  latency: number[];
}
