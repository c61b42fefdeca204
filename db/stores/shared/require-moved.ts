import { AppError } from "#domain/errors.ts";

/**
 * The statement of an act found its message, or all of so many. Throws conflict: another session has moved it since it
 * was read.
 */
export function requireMoved(rows: number | null, wanted = 1): void {
  if (rows !== wanted)
    throw new AppError(
      "conflict",
      "Another session has moved this message since it was read: look again before you act.",
    );
}
