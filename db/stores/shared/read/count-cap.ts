/** Largest exact count, if an index holds just the counted rows: about 20 ms. */
export const COUNT_CAP = 50_000;

/** Largest count of the messages or rows that a filter matches. */
export const MATCHING_CAP = 10_000;
