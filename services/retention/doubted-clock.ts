import { formatDuration } from "#domain/format.ts";

/** A difference that ages of days can bear. */
const MOST_AHEAD_MS = 300_000;

/**
 * Sentence: why no row may go by its age; null if rows may. A database's clock that has jumped ahead makes every row
 * old; ours is the only other one. One that is behind keeps rows for longer, which loses nothing.
 */
export function whyClockIsDoubted(databaseTimeMs: number, nowMs = Date.now()): string | null {
  const aheadMs = databaseTimeMs - nowMs;
  if (!(aheadMs > MOST_AHEAD_MS)) return null;
  return `The database's clock is ${formatDuration(aheadMs / 1000)} ahead of this worker's, so rows would go too early. Nothing is removed until the wrong one of the two is corrected.`;
}
