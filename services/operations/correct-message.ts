import { randomUUID } from "node:crypto";
import type { Correction, CorrectionBody } from "#contracts/message/corrections.ts";
import type { Operation, OperationOutcome } from "#contracts/message/operations.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError, type ErrorCode, isAppError, toAppError } from "#domain/errors.ts";
import { CORRECT, copyIdOf } from "#domain/message/correction.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import { whyNoOwnTables } from "../outboxes/own-tables.ts";
import type { OutboxHandle } from "../runtime.ts";
import { acceptFirstMapping } from "../stores/accept-first-mapping.ts";
import { beginRecorded, earlierRecorded, finishRecorded } from "./idempotent-operation.ts";
import { inDoubt, refusal } from "./perform-operation.ts";
import { requireEditable } from "./require-editable.ts";
import { requireOperable } from "./require-operable.ts";
import { requireSwitchedOn } from "./require-switched-on.ts";
import { whileRunning } from "./unfinished-operations.ts";

/** Total time that it waits for claims and other sessions' locks, ms. */
const WAIT_MS = 5000;

/**
 * Sends a corrected copy of a failed or dead message: a new row at the end of its aggregate; the original stays as it
 * is, and dead. The same Idempotency-Key with the same request returns the same answer. Throws: forbidden, not_found,
 * invalid_input (not JSON where it was, nothing changed), wrong_state (switched off, not editable, state), conflict
 * (changed, corrected before, key used for another request), in_flight, locked, unavailable.
 */
export async function correctMessage(input: {
  ctx: ServiceContext;
  outbox: string;
  id: string;
  request: CorrectionBody;
  idempotencyKey: string | null;
}): Promise<Correction> {
  const { ctx, id: messageId, request, idempotencyKey } = input;
  const found = await ctx.runtime.outbox(input.outbox);
  const asked = { ctx, idempotencyKey, hashed: ["correct", found.name, messageId, request] };
  const earlier = await earlierRecorded(found, asked);
  if (earlier) return answerOf(earlier);
  requireRole(ctx, "admin");
  requireSwitchedOn(ctx.runtime, found, "correct");
  requireOperable(found);
  const no = await whyNoCorrection(found);
  if (no !== null) throw new AppError("wrong_state", no);
  const handle = { ...found, accepted: await acceptFirstMapping(ctx.runtime, found, ctx.actor.name) };
  const id = randomUUID();
  return whileRunning(id, async () => {
    const recorded = { ...asked, id, action: "correct", reason: request.reason, dryRun: false } as const;
    const begun = await beginRecorded(handle, { ...recorded, ids: [messageId] });
    if (begun.finished) return answerOf(begun);
    const outcome = await send(handle, { ctx, messageId, request, operationId: id });
    return answerOf(await finishRecorded(handle, begun, [outcome]));
  });
}

interface Sending {
  ctx: ServiceContext;
  messageId: string;
  request: CorrectionBody;
  operationId: string;
}

async function send(
  handle: OutboxHandle,
  { ctx, messageId, request, operationId }: Sending,
): Promise<OperationOutcome> {
  const { version, payload, headers, reason } = request;
  try {
    await requireEditable(handle, messageId, request);
    const { copyId: _, ...done } = await outboxOf(handle).act.correct(
      { id: messageId, version, payload, headers, actor: ctx.actor, reason, operationId },
      WAIT_MS,
    );
    return { id: messageId, outcome: "done", code: null, ...done };
  } catch (error) {
    if (troubleOf(error) === "commit_in_doubt") return inDoubt(messageId);
    return refusal(messageId, toAppError(error));
  }
}

/** Throws the refusal of the single outcome. */
function answerOf(operation: Operation): Correction {
  const [outcome] = operation.outcomes;
  if (outcome && (outcome.outcome === "skipped" || outcome.outcome === "failed"))
    throw new AppError((outcome.code ?? "internal") as ErrorCode, outcome.message);
  const entry = { action: CORRECT, detail: outcome?.message ?? null };
  return { operation, copyId: outcome?.outcome === "done" ? copyIdOf([entry]) : null };
}

/** Why no corrected copy can be sent from this outbox, as a sentence; null if one can. */
export async function whyNoCorrection(handle: OutboxHandle): Promise<string | null> {
  const { config, name, storeSide } = handle;
  if (config.mode === "observe") return "This outbox is observed only.";
  if (!storeSide) return whyNoOwnTables(handle);
  if (!config.corrections)
    return `Editing is switched off for this outbox. Set outboxes.${name}.corrections: true in outbox.yaml to allow it to admins.`;
  const { act } = outboxOf(handle);
  const refused = act.refuses("dead-letter");
  if (refused !== null) return refused;
  try {
    return await act.whyNoCopy();
  } catch (error) {
    if (isAppError(error)) return error.message;
    throw error;
  }
}
