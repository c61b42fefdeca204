/** A place in the log; opaque, except that texts compare as their places do. Empty: before all others. */
export type StreamPosition = string;

/** A committed transaction of the stream, as far as this outbox is concerned. */
export interface StreamTransaction {
  committedAtMs: number;
  position: StreamPosition;
}
