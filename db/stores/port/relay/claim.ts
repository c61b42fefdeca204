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
  /** Read only rows that were made so long before. There may be more behind them then. */
  agedMs?: number;
  /** Also say which unsent row is the last of all, so that the mark can pass rows that are left out. */
  wantLast: boolean;
  /** Also say since when the table's own writers are at work; see Horizon. */
  wantWriters?: boolean;
}

/** How far a read could see; opaque outside its engine. */
export interface Horizon {
  /** Whoever could still have written a row when `earlier` was read had ended before this read. */
  hasPassed(earlier: Horizon): boolean;
  /** The transaction had ended before this read. */
  hasEnded(transaction: StreamTransaction): boolean;
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

/** Where to look ahead from, as for a claim. */
export type LookAhead = Pick<ClaimRequest, "lease" | "after" | "excludeIds">;

/** A message that may go out, by its place. */
export interface WaitingRow {
  id: string;
  aggregateKey: string | null;
  eventType: string | null;
  order: OrderKey;
  /** How long before now it was made, on the database clock; NaN where nothing tells. */
  ageMs: number;
}

export interface LookedAhead {
  rows: WaitingRow[];
  horizon: Horizon;
}

export interface UnreadRow {
  found: OrderKey | null;
  /** Where to look on; null when all was looked at. */
  next: OrderKey | null;
}

export interface Skipped {
  /** The last row that was passed over. */
  reached: OrderKey;
  horizon: Horizon;
  /** How long before now that row was made, on the database clock. */
  ageMs: number;
}
