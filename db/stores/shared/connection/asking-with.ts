import type { AppError } from "#domain/errors.ts";

type ToStoreError = (error: unknown, of: string) => AppError;

/** An engine's `asking`, from its translation of a driver's errors. */
export function askingWith(toStoreError: ToStoreError) {
  return async <T>(of: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toStoreError(error, of);
    }
  };
}
