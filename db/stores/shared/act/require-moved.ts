import { AppError } from "#domain/errors.ts";

/** Throws conflict if the statement of an act changed fewer messages than wanted. */
export function requireMoved(rows: number | null, wanted = 1): void {
  if (rows !== wanted)
    throw new AppError(
      "conflict",
      "The table did not take the change: another session has moved the message since it was read, or a trigger refuses the change. Look again before you act.",
    );
}
