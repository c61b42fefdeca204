import type { Looked } from "../../reconciliation/describe.ts";

/** One check of an inbox against this outbox. */
export interface ConsumerFacts {
  inbox: string;
  withinSeconds: number;
  /** Published longer ago than that. */
  notProcessed: number;
  /** Older published messages were not looked up. */
  capped: boolean;
  reasons: { absent: number; unprocessed: number; failed: number };
  /**
   * Of those, the longest published. `overdueAt`: when its time was up; `atLeast`: it may have been published earlier.
   */
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
