/** Limits while no trouble is known: reads are rare to spare the database, but a new cause must be noticed soon. */
const CALM = { paceMs: 4_000, largestShare: 1 / 20, longestMs: 15_000 };
/** Limits during trouble: facts explain it, so they are read about as often as the figures. */
const URGENT = { paceMs: 1_500, largestShare: 1 / 4, longestMs: 10_000 };

/**
 * Time between the end of one read of the facts and the start of the next, ms: slow reads are made less often.
 * `tookMs`: the last read; a busy machine makes it long, not only a large table. `urgent`: something is wrong.
 */
export function factsRestMs({ tookMs, urgent }: { tookMs: number; urgent: boolean }): number {
  const { paceMs, largestShare, longestMs } = urgent ? URGENT : CALM;
  return Math.min(Math.max(paceMs, tookMs / largestShare), longestMs);
}
