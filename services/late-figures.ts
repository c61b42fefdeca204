import { isAppError } from "#domain/errors.ts";
import { formatDuration } from "#domain/format.ts";

/** How long figures are shown while newer ones do not come in time, ms. */
const MOST_LATE_MS = 60_000;

/**
 * What to say of figures that were read at `readAtMs` and are shown because newer ones did not come in time, though the
 * database answers. Null if they must not be shown: they are older than a minute, or the database does not answer.
 */
export function lateSentence(error: unknown, readAtMs: number | undefined): string | null {
  if (readAtMs === undefined || !isAppError(error) || error.code !== "query_timeout") return null;
  if (error.details?.answers !== true) return null;
  const ageMs = performance.now() - readAtMs;
  if (ageMs > MOST_LATE_MS) return null;
  return `${error.message} These are from ${formatDuration(ageMs / 1000)} ago.`;
}
