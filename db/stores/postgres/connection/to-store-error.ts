import { askingWith, storeErrorWith } from "#db/stores/shared/connection/asking-with.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import type { StoreTrouble } from "../../port/store-error.ts";
import { isConnectionError, isSchemaError, toDatabaseError } from "./database-error.ts";

export const toStoreError = storeErrorWith({ troubleOf, toDatabaseError });

/** Runs `work` and converts its errors to StoreError. `of` names the subject, e.g. `outbox orders`. */
export const asking = askingWith(toStoreError);

function troubleOf(error: unknown): StoreTrouble {
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
