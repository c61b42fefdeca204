export interface FailureGroupRow {
  fingerprint: string;
  code: string | null;
  text: string | null;
  eventTypes: string[];
  messages: number;
  failed: number;
  dead: number;
  aggregates: number;
  firstSeenAt: string | null;
  lastSeenAt: string | null;
  sampleId: string;
}

/** A failed or dead row of a table that keeps its own error text. */
export interface NativeFailure {
  id: string;
  eventType: string | null;
  aggregateId: string | null;
  lastError: string | null;
  dead: boolean;
}

/** Failures by cause as far as they were read. Where our own records hold none, those of the table itself. */
export interface FailuresRead {
  grouped: FailureGroupRow[];
  /** To be grouped by the caller; empty where `grouped` is not. */
  native: NativeFailure[];
  /** How many messages were looked at. */
  read: number;
  /** There are no others. */
  complete: boolean;
  /** The statement that makes the index that is missing, where one is. */
  index: string | null;
  asOf: string;
}
