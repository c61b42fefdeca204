import { type AppError, type ErrorCode, isAppError } from "#domain/errors.ts";
import { StoreError, type StoreTrouble } from "../../port/store-error.ts";
import { CommitInDoubtError } from "./commit-in-doubt-error.ts";
import { causeOf } from "./driver-error.ts";

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

/** The translation of an SQL driver's errors. `troubleOf`: of one whose commit is not in doubt. */
export function storeErrorWith(engine: {
  troubleOf: (error: unknown) => StoreTrouble;
  toDatabaseError: (error: unknown, of: string) => { code: ErrorCode; message: string };
}): ToStoreError {
  return (thrown, of) => {
    const error = causeOf(thrown);
    if (isAppError(error)) return error;
    const { code, message } = engine.toDatabaseError(error, of);
    const trouble = error instanceof CommitInDoubtError ? "commit_in_doubt" : engine.troubleOf(error);
    return new StoreError(trouble, code, message, { cause: error });
  };
}
