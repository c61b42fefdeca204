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
  total: { value: number; precision: "exact" | "estimate" };
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

/** Read-only queries on one inbox. Each sees one snapshot and has its own time limit. */
export interface InboxReader {
  figures(): Promise<InboxFigures>;
  list(request: InboxPageRequest): Promise<{ rows: InboxRow[]; nextCursor: string | null; asOf: string }>;
  /** Which consumers have seen an event, by the id its producer gave it. */
  sightings(eventId: string): Promise<InboxSighting[]>;
}
