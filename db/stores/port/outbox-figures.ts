import type { MessageState } from "#domain/message-state.ts";
import type { PartialPauses, PauseRow } from "./pauses.ts";
import type { RelayRow } from "./relay-rows.ts";

/** A number with how far it can be trusted: `capped` is at least so many. */
export interface CountFigure {
  value: number;
  precision: "exact" | "capped" | "estimate" | "unknown";
}

export type StateCounts = Record<MessageState, CountFigure>;

export interface Waiting {
  /** `dueAt` is RFC 3339. */
  oldest: { id: string; ageSeconds: number; dueAt: string } | null;
  /** False where finding the oldest would read too much: what is named then is the oldest of what was read. */
  oldestKnown: boolean;
  scheduled: CountFigure;
  nextRetryInSeconds: number | null;
  blocked: { messages: number; capped: boolean; aggregates: number; oldestAgeSeconds: number | null };
  deadLast24h: number | null;
  /** Age of the oldest live claim: long when a relay cannot finish what it has claimed. */
  oldestClaimSeconds: number | null;
  asOf: string;
}

/** What one reading of an outbox gave, all of it from one moment. */
export interface OutboxFigures {
  counts: StateCounts;
  waiting: Waiting;
  relays: RelayRow[];
  pause: PauseRow | null;
  partialPauses: PartialPauses;
  /** The store's clock. */
  asOf: string;
  /** This process's clock minus the store's, ms; 0 where a slow answer may explain the difference. */
  consoleOffsetMs: number;
  /** Another session keeps everyone from the table: its rows could not be looked at, and their counts are unknown. */
  tableLocked: boolean;
  /** How long the reading took. */
  tookMs: number;
}

export interface RelayCounters {
  id: string;
  published: number;
  failures: number;
  latency: number[];
}

/** Counters that only grow, until what counts them starts anew. Two readings give rates. */
export interface CounterReading {
  /** The store's clock, seconds. */
  atSeconds: number;
  /** Rows ever inserted, by the order column's sequence, else by the table's statistics; null where neither tells. */
  inserted: number | null;
  insertedBy: "sequence" | "statistics" | null;
  /** Null without the store side. */
  relays: RelayCounters[] | null;
}
