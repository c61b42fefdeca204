import { randomUUID } from "node:crypto";
import type { Operation, OperationRequest } from "#contracts/message/operations.ts";
import type { BulkRecords } from "#db/stores/port/bulk-records.ts";
import { AppError } from "#domain/errors.ts";
import { BULK_ROLES, type BulkAction } from "#domain/message/bulk-operation.ts";
import { requireRole, type ServiceContext } from "../../context.ts";
import type { OutboxHandle } from "../../runtime.ts";
import { acceptFirstMapping } from "../../stores/accept-first-mapping.ts";
import { earlierOperation, ofSameRequest, requestHashOf } from "../earlier-operation.ts";
import { requireOperable } from "../require-operable.ts";
import { requireSwitchedOn } from "../require-switched-on.ts";
import { describeSelection, planOf } from "./bulk-plan.ts";
import { bulkToOperation } from "./bulk-to-operation.ts";
import { itemKeyOf } from "./changed-key.ts";
import { itemsKeptUntil, requireItems } from "./kept-items.ts";
import { matchingOf } from "./matching-of.ts";
import { requireReplaySink } from "./replay/replay-sinks.ts";
import { noBulkIn, whyNoWorker } from "./why-no-bulk.ts";

/**
 * Records a bulk operation; a worker's monitor does it. The same Idempotency-Key with the same request returns the
 * operation that it started, whatever has changed since. Throws: forbidden, not_found, invalid_input (a dry run, or
 * `confirm` is not the number that matches), wrong_state (observe only, not migrated, mapping unsure, not possible in
 * this store or table, items deleted), conflict (key used for another request), no_monitor.
 */
export async function startBulkOperation(input: {
  ctx: ServiceContext;
  outbox: string;
  request: OperationRequest;
  idempotencyKey: string | null;
}): Promise<Operation> {
  const { ctx, request, idempotencyKey } = input;
  const handle = await ctx.runtime.outbox(input.outbox);
  const requestHash = requestHashOf([handle.name, request]);
  const earlier = await earlierBulk(handle, { ctx, idempotencyKey, requestHash });
  if (earlier) return earlier;
  requireRole(ctx, BULK_ROLES[request.action]);
  if (request.dryRun) throw new AppError("invalid_input", "A dry run takes up to 100 targets: use the preview.");
  requireSwitchedOn(ctx.runtime, handle, request.action, "bulk");
  requireOperable(handle);
  const bulk = requireBulk(handle);
  const sink = request.action === "republish" ? requireReplaySink(ctx.runtime, handle, request.sink) : null;
  if (request.itemsOf) await requireItems(ctx.runtime, handle, request.itemsOf.operation);
  await requireConfirmed(handle, request);
  const accepted = await acceptFirstMapping(ctx.runtime, handle, ctx.actor.name);
  await requireMonitor(ctx, request.action);
  const plan = planOf(request, { sink, key: itemKeyOf(accepted) });
  const begun = await bulk.begin({
    id: randomUUID(),
    outbox: handle.name,
    action: request.action,
    actor: ctx.actor,
    reason: request.reason,
    idempotencyKey,
    requestHash,
    plan,
    detail: describeSelection(plan.selection),
  });
  ofSameRequest(begun, requestHash);
  if (!begun.bulk) throw new Error(`Operation ${begun.id} began as one over a filter and has no record of it.`);
  return bulkToOperation(begun.bulk, { itemsKeptUntil: itemsKeptUntil(ctx.runtime, handle.store, begun.bulk) });
}

/** The operation that the key began, as it is now; null if it began none. Throws: conflict. */
async function earlierBulk(
  handle: OutboxHandle,
  asked: { ctx: ServiceContext; idempotencyKey: string | null; requestHash: string },
): Promise<Operation | null> {
  const { store } = handle;
  const earlier = await earlierOperation(handle, asked);
  const row = earlier && (await store.records.bulk?.get(earlier.id));
  return row ? bulkToOperation(row, { itemsKeptUntil: itemsKeptUntil(asked.ctx.runtime, store, row) }) : null;
}

/** Throws: wrong_state. */
function requireBulk({ store, name }: OutboxHandle): BulkRecords {
  if (store.records.bulk) return store.records.bulk;
  throw new AppError("wrong_state", noBulkIn(`the database of outbox ${name}`));
}

/** Messages fail while the operator types: this share more than was typed still counts as the same number. */
const GROWTH = 1.1;

async function requireConfirmed(handle: OutboxHandle, request: OperationRequest): Promise<void> {
  const { matching, confirm } = await matchingOf(handle, request);
  if (confirm === null || (request.confirm !== undefined && confirm <= request.confirm * GROWTH)) return;
  const message =
    matching.precision === "unknown"
      ? "How many messages match is not known: send 0 as `confirm` to act on all of them."
      : `More than 1,000 messages match: repeat their number in \`confirm\`, as the preview gives it (now ${confirm}).`;
  throw new AppError("invalid_input", message, { details: { confirm } });
}

async function requireMonitor({ runtime }: ServiceContext, action: BulkAction): Promise<void> {
  const why = await whyNoWorker(runtime, action);
  if (why !== null) throw new AppError("no_monitor", why);
}
