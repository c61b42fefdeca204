/** Clauses of every engine: why rows that are old enough are still needed. */
export const PINS = {
  claim: "a relay has them in a claim",
  suspect: "a relay died with them in flight, and they are watched",
  pause: "an aggregate is held behind them",
  restored: "they were restored, and a reader of the log may meet them again",
  operation: "an operation that is not finished has them",
  archive: "the archive already has a message with their id",
  reader: "the reader of the log has yet to pass them",
  broken: "their values cannot be restored unchanged from an archive",
} as const;
