import { MOST_AT_ONCE, type Operation, type OperationRequest } from "#contracts/message/operations.ts";
import type { ServiceContext } from "../context.ts";
import { startBulkOperation } from "./bulk/start-bulk-operation.ts";
import { performOperation } from "./perform-operation.ts";

/**
 * Acts immediately on up to 100 messages named by id. More ids, a filter, or a re-publish become a bulk operation for a
 * worker; the answer then has its first record. A bulk operation has no dry run. Throws as performOperation and
 * startBulkOperation do.
 */
export function startOperation(input: {
  ctx: ServiceContext;
  outbox: string;
  request: OperationRequest;
  idempotencyKey: string | null;
}): Promise<Operation> {
  const { action, targets, reason, dryRun } = input.request;
  if (action !== "republish" && targets && targets.length <= MOST_AT_ONCE)
    return performOperation({
      ...input,
      request: { action, targets, reason, ...(dryRun === undefined ? {} : { dryRun }) },
    });
  return startBulkOperation(input);
}
