import { askingWith } from "#db/stores/shared/connection/asking-with.ts";
import { causeOf, errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { type AppError, isAppError } from "#domain/errors.ts";
import { StoreError, type StoreTrouble } from "../../port/store-error.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { isConnectionError, isSchemaError, toDatabaseError } from "./database-error.ts";

/** Runs `work` and converts its errors to StoreError. `of` names the subject, e.g. `outbox orders`. */
export const asking = askingWith(toStoreError);

export function toStoreError(thrown: unknown, of: string): AppError {
  const error = causeOf(thrown);
  if (isAppError(error)) return error;
  const { code, message } = toDatabaseError(error, of);
  return new StoreError(troubleOf(error), code, message, { cause: error });
}

function troubleOf(error: unknown): StoreTrouble {
  if (error instanceof CommitInDoubtError) return "commit_in_doubt";
  if (isConnectionError(error)) return "unreachable";
  switch (errorCode(error)) {
    case "55P03":
      return "locked";
    // Also of one of our own tables: pages say then what to run.
    case "42P01":
    case "42703":
    case "3F000":
      return "missing";
    case "42501":
      return "forbidden";
    default:
      return isSchemaError(error) ? "missing" : "refused";
  }
}
