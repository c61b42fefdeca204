import { setTimeout as delay } from "node:timers/promises";
import { AppError, isAppError } from "#domain/errors.ts";
import type { AuditRecord } from "../../port/audit.ts";
import type { CorrectionRequest, CorrectionResult } from "../../port/correction.ts";
import type { OutboxActions, PauseChange } from "../../port/outbox-actions.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest, VerbResult } from "../../port/verb.ts";

const WAIT_STEP_MS = 100;

interface Trying<Request, Result> {
  /** Tries once. Throws what `OutboxActions.perform` throws. */
  once(request: Request): Promise<Result>;
  lockHolder: OutboxActions["lockHolder"];
}

/**
 * Tries again every 100 ms for `waitMs`: nothing announces the end of a claim or a lock. The error names the session
 * that holds the row, if it can still be found.
 */
async function tryWithin<Request extends { id: string }, Result>(
  { once, lockHolder }: Trying<Request, Result>,
  request: Request,
  waitMs: number,
): Promise<Result> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return await once(request);
    } catch (error) {
      const mayPass = isAppError(error) && (error.code === "in_flight" || error.code === "locked");
      if (!mayPass) throw error;
      if (performance.now() >= deadline)
        throw error.code === "locked" ? await naming(lockHolder, request.id, error) : error;
      await delay(WAIT_STEP_MS);
    }
  }
}

export const performWithin = (acting: Trying<VerbRequest, VerbResult>, verb: VerbRequest, waitMs: number) =>
  tryWithin(acting, verb, waitMs);

export const correctWithin = (
  acting: Trying<CorrectionRequest, CorrectionResult>,
  request: CorrectionRequest,
  waitMs: number,
) => tryWithin(acting, request, waitMs);

async function naming(lockHolder: OutboxActions["lockHolder"], id: string, failure: AppError): Promise<AppError> {
  const holder = await lockHolder(id).catch(() => null);
  return holder === null ? failure : new AppError("locked", `Another session has locked this message: ${holder}.`);
}

/** The audit's row of a pause that was begun or ended. */
export function auditOfPause({ name }: OutboxRef, action: string, { actor, reason, detail }: PauseChange): AuditRecord {
  return { actor, action, outbox: name, outcome: "done", reason, detail };
}
