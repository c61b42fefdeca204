import type { Operation } from "#contracts/message/operations.ts";
import type { BulkRow } from "#db/stores/port/bulk-records.ts";
import { AppError } from "#domain/errors.ts";
import { monitorSign } from "../monitor-alive.ts";
import type { Runtime, StoreHandle } from "../runtime.ts";
import { bulkToOperation, isUntaken } from "./bulk/bulk-to-operation.ts";
import { itemsKeptUntil } from "./bulk/kept-items.ts";
import { findOperation } from "./find-operation.ts";
import { readRecord } from "./unfinished-operations.ts";

/** An operation with its outcomes, from the store in which it ran. Throws: not_found, unavailable. */
export async function getOperation(input: { runtime: Runtime; id: string }): Promise<Operation> {
  const { runtime, id } = input;
  const { store, stored, bulk } = await findOperation(runtime, id);
  const operation = bulk ? await bulkOperation(runtime, store, bulk) : await readRecord(store, stored);
  if (!operation) throw new AppError("not_found", "There is no operation with this id.");
  return operation;
}

async function bulkOperation(runtime: Runtime, store: StoreHandle, bulk: BulkRow): Promise<Operation> {
  const monitorAlive = isUntaken(bulk) ? (await monitorSign(runtime)).alive : null;
  return bulkToOperation(bulk, { itemsKeptUntil: itemsKeptUntil(runtime, store, bulk), monitorAlive });
}
