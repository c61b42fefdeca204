import { askingWith, storeErrorWith } from "#db/stores/shared/connection/asking-with.ts";
import type { StoreTrouble } from "../../port/store-error.ts";
import { explainRefusal } from "./connection-refusal.ts";
import { isConnectionError, isForbidden, isLockTimeout, isMissing, toDatabaseError } from "./database-error.ts";

export const toStoreError = storeErrorWith({ troubleOf, toDatabaseError });

/** Runs `work` and converts its errors to StoreError. `of` names the subject, e.g. `outbox orders`. */
export const asking = askingWith(toStoreError);

function troubleOf(error: unknown): StoreTrouble {
  if (isConnectionError(error)) return "unreachable";
  if (isLockTimeout(error)) return "locked";
  // Open connections continue to work, so the user lacks no privilege.
  if (explainRefusal(error, "") !== null) return "refused";
  if (isMissing(error)) return "missing";
  return isForbidden(error) ? "forbidden" : "refused";
}
