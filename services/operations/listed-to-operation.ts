import { type Operation, operationSchema } from "#contracts/message/operations.ts";
import type { ListedOperation } from "#db/stores/port/bulk-records.ts";
import { bulkToOperation } from "./bulk/bulk-to-operation.ts";

/** Without the outcomes of single messages. One that an older version of this program cut short has no record. */
export function listedToOperation({ result, bulk }: ListedOperation): Operation[] {
  if (bulk) return [bulkToOperation(bulk)];
  const record = operationSchema.safeParse(result);
  return record.success ? [{ ...record.data, outcomes: [] }] : [];
}
