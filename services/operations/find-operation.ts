import type { BulkRow } from "#db/stores/port/bulk-records.ts";
import type { StoredOperation } from "#db/stores/port/operations.ts";
import { AppError } from "#domain/errors.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Runtime, StoreHandle } from "../runtime.ts";
import { operatedStores } from "../stores/operated-stores.ts";

export interface FoundOperation {
  store: StoreHandle;
  stored: StoredOperation;
  /** Set for a bulk operation. */
  bulk: BulkRow | null;
}

const NO_STORES = { stores: [], missing: [] };

/**
 * An operation and the store in which it runs. A store that does not answer only hides its own operations. Throws:
 * not_found, unavailable.
 */
export async function findOperation(runtime: Runtime, id: string): Promise<FoundOperation> {
  const { stores, missing } = isUuid(id) ? await operatedStores(runtime) : NO_STORES;
  const asked = await Promise.allSettled(stores.map((store) => store.guard.ask(() => findIn(store, id.toLowerCase()))));
  const found = asked.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []))[0];
  if (found && runtime.sees(found.stored.outbox)) return found;
  if (found) throw noOperation();
  // A store that did not answer may hold the operation.
  const failed = asked.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
  if (missing[0] !== undefined) throw new AppError("unavailable", missing[0]);
  throw noOperation();
}

function noOperation(): AppError {
  return new AppError("not_found", "There is no operation with this id.");
}

async function findIn(store: StoreHandle, id: string): Promise<FoundOperation | null> {
  const stored = await store.records.operation(id);
  if (!stored) return null;
  return { store, stored, bulk: (await store.records.bulk?.get(id)) ?? null };
}
