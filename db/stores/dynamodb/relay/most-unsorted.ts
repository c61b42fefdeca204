/** Items of an index without order that one read takes: they are sorted in memory. */
export const MOST_UNSORTED = 20_000;
