export interface FailureGroupRow {
  /** Fingerprint, error code or type, as they were grouped by; empty for messages without one. */
  key: string;
  /** Null if none is recorded, or if the group's messages have several. */
  code: string | null;
  /** The newest one; null if none is recorded. */
  text: string | null;
  eventTypes: string[];
  messages: number;
  failed: number;
  dead: number;
  aggregates: number;
  firstSeenAt: string | null;
  lastSeenAt: string | null;
  /**
   * Messages by the hour of their first failure: 24 sliding hours, the last one ends now. Null if a time is not
   * recorded.
   */
  newByHour: number[] | null;
  sampleId: string;
}

/**
 * Failed or dead rows by the table alone, of one type, whose errors differ at most in digits; without a text if the
 * table has none. One of the rows is the sample.
 */
export interface NativeFailure {
  /** The sample's id. */
  id: string;
  eventType: string | null;
  /** The sample's error. */
  lastError: string | null;
  dead: boolean;
  messages: number;
  /** Aggregates of all rows; may name one twice. */
  aggregateIds: (string | null)[];
}

/** Failures by cause, as far as they were read: from our own records, and the other rows of the table. */
export interface FailuresRead {
  grouped: FailureGroupRow[];
  /** For the caller to group. */
  native: NativeFailure[];
  /** Number of messages read. */
  read: number;
  /** All failures were read. */
  complete: boolean;
  /** Statement that creates the missing index; null if none is missing. */
  index: string | null;
  asOf: string;
}
