/** A position in the log. Opaque; compares as text in log order. Empty: before all others. */
export type StreamPosition = string;

/** A committed transaction of the stream, as far as this outbox is concerned. */
export interface StreamTransaction {
  committedAtMs: number;
  position: StreamPosition;
}
