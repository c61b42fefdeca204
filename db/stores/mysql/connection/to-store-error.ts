import { askingWith } from "#db/stores/shared/connection/asking-with.ts";
import { causeOf } from "#db/stores/shared/connection/driver-error.ts";
import { type AppError, isAppError } from "#domain/errors.ts";
import { StoreError, type StoreTrouble } from "../../port/store-error.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { explainRefusal } from "./connection-refusal.ts";
import { isConnectionError, isForbidden, isLockTimeout, isMissing, toDatabaseError } from "./database-error.ts";

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
  if (isLockTimeout(error)) return "locked";
  // Open connections continue to work, so the user lacks no privilege.
  if (explainRefusal(error, "") !== null) return "refused";
  if (isMissing(error)) return "missing";
  return isForbidden(error) ? "forbidden" : "refused";
}
