import type { Failure } from "#domain/failure.ts";

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
  payload: string | null;
  /** RFC 3339, microseconds. */
  createdAt: string | null;
  /** Position in the order of first deliveries: opaque, compare with `compareOrder`. */
  order: OrderKey;
  /** Attempts that failed so far. */
  attempts: number;
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
  epoch: number;
  /** Lease length; the owner stops publishing at two thirds of it, on its own monotonic clock. */
  leaseMs: number;
}

export type MessageOutcome =
  | { kind: "published"; id: string; startedAt: Date; durationMs: number }
  /** Burned one attempt; `nextAttemptInMs` is counted on the database clock. */
  | { kind: "failed"; id: string; startedAt: Date; durationMs: number; failure: Failure; nextAttemptInMs: number }
  | { kind: "dead"; id: string; startedAt: Date; durationMs: number; failure: Failure }
  /** Not tried, or tried in vain because of the environment: the claim ends and nothing is burned. */
  | { kind: "given_back"; id: string };

export interface SettleResult {
  /** Ids marked published by this settle. */
  published: string[];
  /** Ids whose claim was gone (taken over, or an operator forced it): nothing was written for them. */
  fenced: string[];
  /** Ids that were claimed but found published or gone when they were to be marked: a foreign relay. */
  foreign: string[];
  /** created-to-published of each published id, on the database clock, ms. */
  latenciesMs: number[];
}

export interface ClaimRequest {
  lease: Lease;
  /** Read rows above this position; null reads from the start. */
  after: OrderKey | null;
  /** At most this many messages. */
  limit: number;
  /** Encoded ids that are in memory already. */
  excludeIds: readonly string[];
  /** Aggregates that must wait: blocked behind a failed head, or with enough in memory. */
  excludeAggregates: readonly string[];
  /** Stop adding messages to a claim when their payloads exceed this, after the first. */
  maxBytes: number;
}

export interface ClaimResult {
  /** Null when nothing was found. */
  claim: Claim | null;
  /** The page was full: there may be more behind the last message. */
  more: boolean;
  /** For advancing the low-water mark: transactions of this snapshot. Compare as BigInt. */
  snapshot: { xmin: string; xmax: string };
}

/** What a failed, not dead, message keeps beside its row. */
export interface RetryEntry {
  id: string;
  aggregateKey: string | null;
  order: OrderKey | null;
  attempts: number;
  /** Ms until it is due on the database clock; 0 or less is due. */
  dueInMs: number;
}

/** The relay's side of one outbox table. Every method is one short transaction; none waits for a broker. */
export interface RelayTable {
  readonly outbox: string;
  readonly ordering: { kind: "aggregate" | "best_effort" | "none"; reason: string | null };
  /** Takes or renews the lease; null while another owner's lease is live. A takeover raises the epoch and ends orphaned claims. */
  acquireLease(input: {
    owner: string;
    leaseMs: number;
  }): Promise<(Lease & { tookOver: boolean; orphaned: string[] }) | null>;
  /** Ends the lease at once, after the last settle. */
  releaseLease(lease: Lease): Promise<void>;
  claimNew(request: ClaimRequest): Promise<ClaimResult>;
  /** Claims failed messages that are due, heads of their aggregates, oldest due first. */
  claimDueRetries(input: { lease: Lease; limit: number; excludeIds: readonly string[] }): Promise<Claim | null>;
  /** Every failed message that waits: to know the blocked aggregates after a takeover and after operators acted. */
  listRetries(): Promise<RetryEntry[]>;
  /** Writes outcomes in one transaction, fenced by the claim rows. Retries 40P01 and 55P03 itself. */
  settle(input: { lease: Lease; outcomes: { token: string; outcome: MessageOutcome }[] }): Promise<SettleResult>;
  readPause(): Promise<{ reason: string; by: string; until: string | null } | null>;
  writeHeartbeat(beat: RelayHeartbeat): Promise<void>;
  /** Rows published by someone else in the last minute, and who connects; 0 when none. */
  foreignPublishes(): Promise<number>;
  close(): Promise<void>;
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
  /** Cumulative counts per latency bucket, see domain/latency-histogram.ts. */
  latency: number[];
}
