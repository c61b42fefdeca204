/** Clause: why no relay can promise the order of an aggregate. */
export const READS_LATE =
  "the index of waiting items follows the table after a moment, so an event may become visible later than a later one of its aggregate";
