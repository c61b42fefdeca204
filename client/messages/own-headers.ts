/** Headers that `add` writes and the readers read. */
export const VERSION_HEADER = "event-version";
export const SEQUENCE_HEADER = "event-sequence";
