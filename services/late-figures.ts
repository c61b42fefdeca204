import { isAppError } from "#domain/errors.ts";
import { formatDuration } from "#domain/format.ts";

/** How long figures are shown while newer ones do not come in time, ms. */
const MOST_LATE_MS = 60_000;

/**
 * What to say of figures that ended at `endedAtMs` and are shown because newer ones did not come in time, though the database
 * answers. Null if they must not be shown: they are older than a minute, or the database does not answer.
 */
export function lateSentence(error: unknown, endedAtMs: number | undefined): string | null {
  if (endedAtMs === undefined || !isAppError(error) || error.code !== "query_timeout") return null;
  const ageMs = performance.now() - endedAtMs;
  if (ageMs > MOST_LATE_MS) return null;
  return `${error.message} These are from ${formatDuration(ageMs / 1000)} ago.`;
}
