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
  /** Messages by the hour of their first failure: 24 sliding hours, the last one ends now. Null if a time is not recorded. */
  newByHour: number[] | null;
  sampleId: string;
}

/**
 * Failed or dead rows by the table alone, of one type, whose errors differ in digits at most; without a text where the table
 * keeps none. One of them is the sample.
 */
export interface NativeFailure {
  /** Of the sample. */
  id: string;
  eventType: string | null;
  /** Of the sample. */
  lastError: string | null;
  dead: boolean;
  messages: number;
  /** Of all of them; may name one twice. */
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
