import type { Operation, OperationOutcome } from "#contracts/message/operations.ts";
import type { StoredOperation } from "#db/stores/port/operations.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError, toAppError } from "#domain/errors.ts";
import type { OperationAction } from "#domain/message/correction.ts";
import type { ServiceContext } from "../context.ts";
import type { OutboxHandle } from "../runtime.ts";
import { earlierOperation, ofSameRequest, requestHashOf } from "./earlier-operation.ts";
import { firstRecord, toOperation } from "./operation-record.ts";
import { finishLater, readRecord } from "./unfinished-operations.ts";

/** A request whose outcomes are recorded under its key. */
export interface RecordedRequest {
  ctx: ServiceContext;
  id: string;
  action: OperationAction;
  reason: string;
  dryRun: boolean;
  ids: readonly string[];
  /** All values whose change makes it a different request. */
  hashed: unknown;
  idempotencyKey: string | null;
}

/**
 * The record of a new operation, or the finished one with the same idempotency key. Throws conflict if the key was used
 * for another request, or if the same request is still running.
 */
export async function beginRecorded(handle: OutboxHandle, request: RecordedRequest): Promise<Operation> {
  const { ctx, id, action, reason, ids, dryRun, idempotencyKey } = request;
  const requestHash = requestHashOf(request.hashed);
  const head = { id, outbox: handle.name, action, reason };
  const first = (at: string) => firstRecord({ ...head, actor: ctx.actor.name, at, dryRun }, ids);
  try {
    const stored = await handle.store.records.beginOperation(
      { ...head, actor: ctx.actor, idempotencyKey, requestHash },
      first,
    );
    ofSameRequest(stored, requestHash);
    return stored.isNew ? first(stored.at) : await finishedRecord(handle, stored);
  } catch (error) {
    // The start may have been committed; it is then completed as an operation without changes.
    if (troubleOf(error) === "commit_in_doubt") finishLater(handle.store, first(new Date().toISOString()));
    throw error;
  }
}

/**
 * The finished operation that the key of a request began; null if it began none. As `earlierOperation`, before any
 * check. Throws: conflict (key used for another request, or the same request is still running).
 */
export async function earlierRecorded(
  handle: OutboxHandle,
  request: Pick<RecordedRequest, "ctx" | "idempotencyKey" | "hashed">,
): Promise<Operation | null> {
  const earlier = await earlierOperation(handle, { ...request, requestHash: requestHashOf(request.hashed) });
  return earlier && finishedRecord(handle, earlier);
}

async function finishedRecord({ store }: OutboxHandle, stored: StoredOperation): Promise<Operation> {
  const earlier = await readRecord(store, stored);
  if (earlier?.finished) return earlier;
  throw new AppError(
    "conflict",
    `The same request is still running, or was interrupted less than three minutes ago. Its outcomes so far are at /operations/${stored.id}.`,
  );
}

/**
 * Writes the record. If that fails or an outcome is in doubt, it is completed later and the answer is not `finished`.
 */
export async function finishRecorded(
  handle: OutboxHandle,
  begun: Operation,
  outcomes: OperationOutcome[],
): Promise<Operation> {
  const operation = toOperation(begun, outcomes, !outcomes.some(({ outcome }) => outcome === "unknown"));
  if (operation.finished) {
    try {
      await handle.store.records.finishOperation(operation, operation);
      return operation;
    } catch (error) {
      if (toAppError(error).code === "internal") throw error;
    }
  }
  const unfinished = { ...operation, finished: false };
  finishLater(handle.store, unfinished);
  return unfinished;
}
