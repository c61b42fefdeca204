import { createHash } from "node:crypto";
import type { StoredOperation } from "#db/stores/port/operations.ts";
import { AppError } from "#domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import type { OutboxHandle } from "../runtime.ts";

/** Identity of a request; `hashed` covers all of it. */
export const requestHashOf = (hashed: unknown): string =>
  createHash("sha256").update(JSON.stringify(hashed)).digest("hex");

/**
 * The operation that this actor's key began; null if it began none. Call it before any check of the request, because
 * checks judge the present (a worker is alive, an action is allowed, a filter matches) and must not hide an operation
 * that has begun. Throws: conflict (key used for another request).
 */
export async function earlierOperation(
  handle: OutboxHandle,
  { ctx, idempotencyKey, requestHash }: { ctx: ServiceContext; idempotencyKey: string | null; requestHash: string },
): Promise<StoredOperation | null> {
  if (idempotencyKey === null || !handle.storeSide) return null;
  const stored = await handle.store.records.operationByKey({ actor: ctx.actor.name, idempotencyKey });
  return stored && ofSameRequest(stored, requestHash);
}

/** Throws: conflict. */
export function ofSameRequest<Found extends { requestHash: string }>(found: Found, requestHash: string): Found {
  if (found.requestHash === requestHash) return found;
  throw new AppError("conflict", "This Idempotency-Key was used for another request.");
}
