import { AppError } from "#domain/errors.ts";

/**
 * Throws conflict if the statement of an act found fewer messages than wanted: another session has moved one since it
 * was read.
 */
export function requireMoved(rows: number | null, wanted = 1): void {
  if (rows !== wanted)
    throw new AppError(
      "conflict",
      "Another session has moved this message since it was read: look again before you act.",
    );
}
