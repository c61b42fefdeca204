import type { MessageState } from "#domain/message/message-state.ts";
import type { PartialPauses, PauseRow } from "./pauses.ts";
import type { RelayRow } from "./relay-rows.ts";

/** A count and its precision; `capped` means at least `value`. */
export interface CountFigure {
  value: number;
  precision: "exact" | "capped" | "estimate" | "unknown";
}

export type StateCounts = Record<MessageState, CountFigure>;

export interface Waiting {
  /** `dueAt` is RFC 3339. */
  oldest: { id: string; ageSeconds: number; dueAt: string } | null;
  /** False if finding the oldest would read too much; `oldest` is then the oldest of the rows read. */
  oldestKnown: boolean;
  scheduled: CountFigure;
  nextRetryInSeconds: number | null;
  blocked: { messages: number; capped: boolean; aggregates: number; oldestAgeSeconds: number | null };
  /**
   * Null if not known: there are too many, or a row can be dead by itself, without a record of ours that has the time.
   */
  deadLast24h: number | null;
  /** Age of the oldest live claim; long if a relay cannot finish its claim. */
  oldestClaimSeconds: number | null;
  asOf: string;
}

/** One reading of an outbox, from one snapshot. */
export interface OutboxFigures {
  counts: StateCounts;
  waiting: Waiting;
  relays: RelayRow[];
  pause: PauseRow | null;
  partialPauses: PartialPauses;
  /** The time that the data reflects: the store's clock, on a standby that of the last replayed transaction. */
  asOf: string;
  /** The store's own clock. */
  clockAt: string;
  /**
   * The time by which heartbeats and leases are judged: the store's clock, because a standby may replay nothing; `asOf`
   * on a standby that has received changes and not yet applied them.
   */
  judgedAt: string;
  /** True for a standby that gets no changes from its primary, or does not apply them. */
  standsStill: boolean;
  /** This process's clock minus the store's, ms; 0 if a slow answer may explain the difference. */
  consoleOffsetMs: number;
  /** Another session has locked the table: its rows could not be read, and their counts are unknown. */
  tableLocked: boolean;
  /** Row level security hides rows from our user now; an earlier reading of the catalog may not show that. */
  rowSecurity: { onRead: boolean; onWrite: boolean };
  /** Duration of the reading. */
  tookMs: number;
}

export interface RelayCounters {
  id: string;
  published: number;
  failures: number;
  latency: number[];
}

/** Counters that only grow until their source restarts. Two readings give rates. */
export interface CounterReading {
  /** The store's clock, seconds. */
  atSeconds: number;
  /**
   * Rows ever inserted, from the order column's sequence, or without one from the table's statistics; null with
   * neither.
   */
  inserted: number | null;
  insertedBy: "sequence" | "statistics" | null;
  /**
   * Rows ever inserted by committed transactions, from the server's statistics, which may be 10 s late. Two values are
   * comparable if `since` is the same. Null if the server does not count them.
   */
  committed: { rows: number; since: string } | null;
  /** Null without the store side. */
  relays: RelayCounters[] | null;
}
