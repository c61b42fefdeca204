/**
 * True if a run has everything: every table layout of every engine, both servers of MySQL, connections cut on both
 * sides of a statement, and the longest runs of chaos. The whole `npm test` leaves out tests that repeat most of
 * another one unless TEST_DEPTH=all; a part with a filter has everything.
 */
export const EVERYTHING = process.env.TEST_DEPTH === "all";

/** Variants of one test or suite: some for every run, and the repeating ones only for runs with everything. */
export function variants<T>(everyRun: readonly T[], repeats: readonly T[]): readonly T[] {
  return EVERYTHING ? [...everyRun, ...repeats] : everyRun;
}
