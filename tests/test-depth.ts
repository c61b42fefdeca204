/**
 * Whether a run has everything: every table layout of every engine, both servers of MySQL, connections cut on both sides of a
 * statement, and the longest runs of chaos. `npm test` as a whole leaves out what repeats most of another test unless
 * TEST_DEPTH=all; a part with a filter has everything.
 */
export const EVERYTHING = process.env.TEST_DEPTH === "all";

/** Variants of one test or suite: some in every run, and those that repeat most of one of them where everything runs. */
export function variants<T>(everyRun: readonly T[], repeats: readonly T[]): readonly T[] {
  return EVERYTHING ? [...everyRun, ...repeats] : everyRun;
}
