import { type AppError, isAppError } from "#domain/errors.ts";

/** What `check` throws for the operator to read; null if it throws nothing. Any other error is thrown on. */
export function refusalOf(check: () => void): AppError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}
