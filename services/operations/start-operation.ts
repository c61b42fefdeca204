import { MOST_AT_ONCE, type Operation, type OperationRequest } from "#contracts/message/operations.ts";
import type { ServiceContext } from "../context.ts";
import { startBulkOperation } from "./bulk/start-bulk-operation.ts";
import { performOperation } from "./perform-operation.ts";

/**
 * Acts on up to 100 messages named by id at once. More of them, a filter, or a re-publish become a bulk operation that a
 * worker does: the answer has its first record. A dry run is only possible at once. Throws as performOperation and
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
