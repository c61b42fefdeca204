import type { BulkState } from "#domain/message/bulk-operation.ts";

/** What a turn of a bulk operation did. */
export interface BulkTurn {
  /** True if anything was done, so that the next turn need not wait. */
  busy: boolean;
  /** Pause before the next turn, ms, where it may be longer than usual. */
  restMs?: number;
  to?: { from: BulkState; to: BulkState };
}

/** Note of an operation that waits for a place to act. */
export const IN_LINE = "Waits for its turn: other operations on this database are at work.";
/** Pause while other operations have the places, and while a relay publishes nothing, ms. */
export const IN_LINE_MS = 500;
export const WAITING_MS = 1000;
