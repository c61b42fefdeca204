import { AppError } from "#domain/errors.ts";

/** The statement of an act on one message found it. Throws conflict: another session has moved it since it was read. */
export function requireMoved(rows: number | null): void {
  if (rows !== 1)
    throw new AppError(
      "conflict",
      "Another session has moved this message since it was read: look again before you act.",
    );
}
