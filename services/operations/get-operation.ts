import type { Operation } from "#contracts/message/operations.ts";
import { AppError } from "#domain/errors.ts";
import type { Runtime } from "../runtime.ts";
import { bulkToOperation } from "./bulk/bulk-to-operation.ts";
import { itemsKeptUntil } from "./bulk/kept-items.ts";
import { findOperation } from "./find-operation.ts";
import { readRecord } from "./unfinished-operations.ts";

/** An operation with its outcomes, from the store in which it ran. Throws: not_found, unavailable. */
export async function getOperation(input: { runtime: Runtime; id: string }): Promise<Operation> {
  const { store, stored, bulk } = await findOperation(input.runtime, input.id);
  const operation = bulk
    ? bulkToOperation(bulk, itemsKeptUntil(input.runtime, store, bulk))
    : await readRecord(store, stored);
  if (!operation) throw new AppError("not_found", "There is no operation with this id.");
  return operation;
}
