/**
 * `failed`: the last attempt to process it failed. `received`: it arrived, and the table does not say whether it was
 * processed.
 */
export type InboxState = "processed" | "unprocessed" | "failed" | "received";

export interface InboxRow {
  id: string;
  messageId: string | null;
  consumer: string | null;
  eventType: string | null;
  state: InboxState;
  receivedAt: string | null;
  processedAt: string | null;
  ageSeconds: number | null;
}

export interface InboxPageRequest {
  filter: {
    state: "all" | "unprocessed" | "processed" | "failed";
    q?: string | undefined;
    consumer?: string | undefined;
  };
  /** Where the last page ended; opaque. */
  cursor?: string | undefined;
  limit: number;
}

export interface InboxFigures {
  total: { value: number; precision: "exact" | "estimate" | "capped" };
  unprocessed: { value: number; precision: "exact" | "capped" | "unknown" };
  failed: { value: number; precision: "exact" | "capped" | "unknown" };
  oldestUnprocessedSeconds: number | null;
  lastProcessedAt: string | null;
  perMinute: number | null;
  asOf: string;
}

export interface InboxSighting {
  consumer: string | null;
  state: InboxState;
  at: string | null;
}

/** Most messages of one lookup. */
export const MOST_LOOKED_UP = 500;

export interface InboxLookup {
  messageIds: readonly string[];
  /** Only rows of this consumer, where the table has a column for it. */
  consumer: string | null;
}

export interface LookedUpRow extends InboxSighting {
  messageId: string;
}

/** Read-only queries on one inbox. Each sees one snapshot and has its own time limit. */
export interface InboxReader {
  figures(): Promise<InboxFigures>;
  list(request: InboxPageRequest): Promise<{ rows: InboxRow[]; nextCursor: string | null; asOf: string }>;
  /** Which consumers have seen an event, by the id its producer gave it. */
  sightings(eventId: string): Promise<InboxSighting[]>;
  /**
   * The rows of up to MOST_LOOKED_UP messages, by the ids their producer gave them, in any order; from where writes go.
   * Throws filter_not_indexed where only a scan of a large table would find them.
   */
  lookUp(request: InboxLookup): Promise<{ rows: LookedUpRow[]; asOf: string }>;
  /**
   * Time of the oldest processed row (received, where the table records no more), read from the primary. Null if there
   * is none, and without a time column or an index.
   */
  oldestDone(consumer: string | null): Promise<{ at: string | null; asOf: string }>;
}
