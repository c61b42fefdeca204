import { randomUUID } from "node:crypto";
import type { Operation, OperationOutcome, OperationTarget, TargetedRequest } from "#contracts/message/operations.ts";
import type { OutboxActions } from "#db/stores/port/outbox-actions.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError, concernsWholeRun, isAppError, toAppError } from "#domain/errors.ts";
import { ACTION_ROLES } from "#domain/operator.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { OutboxHandle } from "../runtime.ts";
import { acceptFirstMapping } from "../stores/accept-first-mapping.ts";
import { beginRecorded, earlierRecorded, finishRecorded } from "./idempotent-operation.ts";
import { withoutState } from "./operation-record.ts";
import { requireOperable } from "./require-operable.ts";
import { requireSwitchedOn } from "./require-switched-on.ts";
import { whileRunning } from "./unfinished-operations.ts";

/** Total time an operation waits for claims and other sessions' locks, ms. */
const WAIT_MS = 5000;
/** No message is started later than this after the first, ms; so an older operation is known to be over. */
const BEGINS_WITHIN_MS = 60_000;

/**
 * Performs one action on up to 100 messages, with one transaction, audit row and outcome each; a failure does not stop
 * the others. The same Idempotency-Key with the same request always returns the same answer. If the database becomes
 * unavailable, the answer has the outcomes so far, and the record is completed later from the audit.
 * Throws: forbidden, not_found, wrong_state (observe only, not migrated, mapping unsure or changed), conflict (key used
 * for another request).
 */
export async function performOperation(input: {
  ctx: ServiceContext;
  outbox: string;
  request: TargetedRequest;
  idempotencyKey: string | null;
}): Promise<Operation> {
  const { ctx, request, idempotencyKey } = input;
  const found = await ctx.runtime.outbox(input.outbox);
  const asked = { ctx, idempotencyKey, hashed: [found.name, request] };
  const earlier = await earlierRecorded(found, asked);
  if (earlier) return earlier;
  requireRole(ctx, ACTION_ROLES[request.action]);
  requireSwitchedOn(ctx.runtime, found, request.action);
  requireOperable(found);
  const accepted = await acceptFirstMapping(ctx.runtime, found, ctx.actor.name);
  const handle = { ...found, accepted };
  const id = randomUUID();
  return whileRunning(id, async () => {
    const ids = dedupe(request.targets).map((target) => target.id);
    const { action, reason, dryRun = false } = request;
    const begun = await beginRecorded(handle, { ...asked, id, action, reason, dryRun, ids });
    if (begun.finished) return begun;
    const outcomes = await actOnEach({ ctx, handle, act: outboxOf(handle).act, request, operationId: id });
    return finishRecorded(handle, begun, outcomes);
  });
}

function dedupe(targets: OperationTarget[]): OperationTarget[] {
  return [...new Map(targets.map((target) => [target.id, target])).values()];
}

interface Run {
  ctx: ServiceContext;
  handle: OutboxHandle;
  act: OutboxActions;
  request: TargetedRequest;
  operationId: string;
}

/**
 * Acts on one message after the other. Once the database is silent the rest are not tried, so that the answer comes in
 * time. Outcomes are in the order of the request.
 */
async function actOnEach(run: Run): Promise<OperationOutcome[]> {
  const startedAt = performance.now();
  const deadline = startedAt + WAIT_MS;
  const outcomes = new Map<string, OperationOutcome>();
  const asked = dedupe(run.request.targets);
  const turn = await inTurn(run, asked);
  let silence = isAppError(turn) ? turn : undefined;
  for (const target of isAppError(turn) ? asked : turn) {
    if (performance.now() - startedAt > BEGINS_WITHIN_MS) silence ??= tooSlow(run.handle);
    const acted = silence ?? (await actOn(run, target, deadline));
    if (isAppError(acted) && acted.code === "unavailable") silence = acted;
    if (!isAppError(acted) && acted.outcome === "unknown") silence = notTried(run.handle);
    outcomes.set(target.id, isAppError(acted) ? refusal(target.id, acted) : acted);
  }
  return asked.flatMap(({ id }) => outcomes.get(id) ?? []);
}

function notTried(handle: OutboxHandle): AppError {
  return new AppError("unavailable", `Not tried: the connection to the database of outbox ${handle.name} was lost.`);
}

function tooSlow(handle: OutboxHandle): AppError {
  const limit = `${BEGINS_WITHIN_MS / 1000} s`;
  return new AppError("query_timeout", `Not tried: the messages before it in outbox ${handle.name} took ${limit}.`);
}

/** Orders retries: a retried message is published at once, and the earlier message of an aggregate must be first. */
async function inTurn({ act, request }: Run, targets: OperationTarget[]): Promise<OperationTarget[] | AppError> {
  if (request.action !== "retry" || targets.length < 2) return targets;
  const byId = new Map(targets.map((target) => [target.id, target]));
  const ids = [...byId.keys()];
  try {
    const ordered = await act.inOrder(ids);
    return ordered.flatMap((id) => byId.get(id) ?? []);
  } catch (error) {
    return toAppError(error);
  }
}

async function actOn(
  { ctx, act, request, operationId }: Run,
  target: OperationTarget,
  deadline: number,
): Promise<OperationOutcome | AppError> {
  const { action, reason, dryRun = false } = request;
  try {
    const verb = { action, ...target, actor: ctx.actor, reason, operationId, dryRun };
    const done = await act.perform(verb, deadline - performance.now());
    return { id: target.id, outcome: "done", code: null, ...done };
  } catch (error) {
    return troubleOf(error) === "commit_in_doubt" && !dryRun ? inDoubt(target.id) : toAppError(error);
  }
}

export function refusal(id: string, failure: AppError): OperationOutcome {
  return withoutState(id, concernsWholeRun(failure) ? "failed" : "skipped", failure.code, failure.message);
}

export function inDoubt(id: string): OperationOutcome {
  return withoutState(
    id,
    "unknown",
    "unavailable",
    "The connection was lost during the commit; the change may have been made. The operation's record will show it once the database answers.",
  );
}
