import type { Lease } from "./lease.ts";
import type { OrderKey, OutgoingMessage } from "./outgoing-message.ts";
import type { StreamTransaction } from "./stream-transaction.ts";

/** One batch in flight: a row of outbox_console.claim. */
export interface Claim {
  token: string;
  messages: OutgoingMessage[];
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
  /** Ends before the first row younger than this, so that no such row is skipped. More rows may follow. */
  agedMs?: number;
  /**
   * With `agedMs`: also ends before the first row that was committed after this read, if the engine can detect that. A
   * creation time may be the start of the transaction, long before its commit.
   */
  since?: Horizon;
  /** Also return the last row, so that the watermark can pass excluded and published rows. */
  wantLast: boolean;
  /** Also determine since when the table's own writers are active; see Horizon. */
  wantWriters?: boolean;
  /** Only these rows, found by their keys and not by a search in order. Only for a table that `claimsByKey`. */
  among?: ListedRows;
}

export interface ListedRows {
  /** Encoded ids, at least one. */
  ids: readonly string[];
  /** A row that has come to stand behind this place is left out. */
  until: OrderKey;
}

/** Which transactions a read could see; opaque outside its engine. */
export interface Horizon {
  /** Every transaction that could still write a row when `earlier` was read had ended before this read. */
  hasPassed(earlier: Horizon): boolean;
  /** The transaction had ended before this read. */
  hasEnded(transaction: StreamTransaction): boolean;
}

export interface ClaimResult {
  /** Null when nothing was found. */
  claim: Claim | null;
  /** The page was full; more rows may follow the last message. */
  more: boolean;
  /**
   * Only some of the rows were read, and not the first ones: unread rows may precede the messages. `more` is true, and
   * the next reads take the others in turn.
   */
  partial?: boolean;
  /** For advancing the watermark. */
  horizon: Horizon;
  /**
   * A row with no unsent row above it at the time of the read: the last unsent row, or the last of all. Null if not
   * requested, if there is none, or if only a scan would find it.
   */
  last: OrderKey | null;
  /** The database clock, ms since 1970. */
  databaseTimeMs: number;
}

/**
 * A claim of due failed messages. `maxBytes` as in a claim of new ones; default: any number. DynamoDB limits the bytes
 * of their ids instead.
 */
export type RetryRequest = Pick<ClaimRequest, "lease" | "limit" | "excludeIds"> &
  Partial<Pick<ClaimRequest, "maxBytes">>;

/** No limit: more bytes than any claim has. */
export const ANY_BYTES = 2 ** 50;

/** A claim of certain aggregates only, in a part of the table that is closed. */
export interface FollowRequest extends Pick<ClaimRequest, "lease" | "after" | "limit" | "excludeIds" | "maxBytes"> {
  aggregates: readonly string[];
  /** Ends before this place, below which no transaction can still commit a row. */
  before: OrderKey;
}

export interface Followed {
  claim: Claim | null;
  /** All their rows before this place are in the claim or in `excludeIds`; at most `before`. */
  reached: OrderKey;
}

/** Where to start looking ahead, as for a claim. */
export type LookAhead = Pick<ClaimRequest, "lease" | "after" | "excludeIds">;

/** A publishable message and its place in the order. */
export interface WaitingRow {
  id: string;
  aggregateKey: string | null;
  eventType: string | null;
  order: OrderKey;
  /** Age on the database clock; NaN if the table has no creation time. */
  ageMs: number;
}

export interface LookedAhead {
  rows: WaitingRow[];
  horizon: Horizon;
  /** Unread rows may precede these, as in a claim's result. */
  partial?: boolean;
}

export interface UnreadRow {
  found: OrderKey | null;
  /** Where to continue; null if all rows were searched. */
  next: OrderKey | null;
  /** Those of the searched rows that become due next, the first ones; absent without a time of availability. */
  soon?: readonly DueRow[];
}

/** Time within which `UnreadRow.soon` rows become due. Longer than a search pauses. */
export const SOON_MS = 3000;
export const MOST_SOON = 500;

export interface DueRow {
  order: OrderKey;
  /** From the query on, by the database's clock. */
  inMs: number;
}

export interface Skipped {
  /** The last row skipped. */
  reached: OrderKey;
  horizon: Horizon;
  /** Age of that row on the database clock. */
  ageMs: number;
  /** No transaction was open that could still commit a row before `reached`. */
  closed: boolean;
}
