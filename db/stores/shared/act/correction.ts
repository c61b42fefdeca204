import { createHash } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import {
  CORRECT,
  CORRECTABLE_STATES,
  CORRECTED_COPY,
  changedNumber,
  detailOfCopy,
  detailOfOriginal,
  MOST_EDITED_BYTES,
  noRetryOf,
} from "#domain/message/correction.ts";
import type { MessageAction, MessageState } from "#domain/message/message-state.ts";
import type { AuditRecord } from "../../port/audit.ts";
import type { CorrectionRequest, CorrectionResult } from "../../port/correction.ts";
import type { MessageRow } from "../../port/message-row.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { auditOfAct } from "./audit-of-act.ts";
import { requireUnchanged, requireUnclaimed } from "./check-possible.ts";

/** Throws not_found, conflict (changed since it was looked at), in_flight, wrong_state. */
export function requireCorrectable(row: MessageRow | undefined, { version }: CorrectionRequest): void {
  if (!row) throw new AppError("not_found", "This message is not there any more.");
  const { state } = row;
  requireUnchanged(row, version);
  requireUnclaimed(row);
  if (!CORRECTABLE_STATES.some((one) => one === state))
    throw new AppError(
      "wrong_state",
      `Only a failed or dead message can be corrected; this one is ${state.replace("_", " ")}.`,
      { details: { state } },
    );
}

/** Throws conflict. `copyId`: id of a copy that was sent before, from the audit; null without one. */
export function requireFirstCopy(copyId: string | null): void {
  if (copyId === null) return;
  throw new AppError("conflict", `A corrected copy of this message was sent already: ${copyId}.`, {
    details: { copyId },
  });
}

/** Throws wrong_state for a retry of a message whose corrected copy was sent. */
export function requireNotCorrected(action: MessageAction, copyId: string | null | undefined): void {
  if (action === "retry" && copyId) throw new AppError("wrong_state", noRetryOf(copyId));
}

/** The stored text that is to be edited. Throws wrong_state for one that is null or too long. */
export function requireStored(text: string | null | undefined): string {
  if (text === null || text === undefined)
    throw new AppError("wrong_state", "This message has no payload that could be edited.");
  if (Buffer.byteLength(text) > MOST_EDITED_BYTES)
    throw new AppError("wrong_state", `Its payload is longer than ${MOST_EDITED_BYTES / 1024} KB.`);
  return text;
}

/** Throws wrong_state if the copy differs from the typed text. `isJson`: the column may change its white space. */
export function requireAsTyped({
  typed,
  stored,
  isJson,
}: {
  typed: string;
  stored: string | null;
  isJson: boolean;
}): void {
  if (stored === typed) return;
  const number = stored === null || !isJson ? null : changedNumber(typed, stored);
  if (stored !== null && isJson && number === null) return;
  throw new AppError(
    "wrong_state",
    number === null
      ? "The column would not keep the text as it was typed: nothing was sent."
      : `The column would not keep the number ${number} as it was typed: nothing was sent.`,
  );
}

/** Throws wrong_state unless the new row is one that will be published. */
export function requirePending(copy: MessageRow | undefined): void {
  if (copy?.state === "pending") return;
  const state = copy ? `it would be ${copy.state.replace("_", " ")}` : "it would not be in the table";
  throw new AppError("wrong_state", `A copy of this row would not be sent, because ${state}: nothing was changed.`);
}

export interface Corrected {
  original: { row: MessageRow; payload: string };
  copy: { id: string; payload: string };
  headersChanged: boolean;
  /** Sentence: what became of the original. */
  told: string;
  after: MessageRow | undefined;
}

/** The answer to the operator, and the audit's rows of both messages. */
export function concludeCorrection(
  ref: OutboxRef,
  request: CorrectionRequest,
  { original, copy, headersChanged, told, after }: Corrected,
): { result: CorrectionResult; audit: AuditRecord[] } {
  const stateAfter: MessageState = after?.state ?? "dead";
  const corrected = {
    ...{ originalId: original.row.id, copyId: copy.id, headersChanged },
    ...{ originalHash: hashOf(original.payload), copyHash: hashOf(copy.payload) },
  };
  const result: CorrectionResult = {
    ...{ copyId: copy.id, stateBefore: original.row.state, stateAfter, version: after?.version ?? null },
    message: detailOfOriginal(corrected, told),
  };
  const { actor, reason, operationId } = request;
  const act = { actor, reason, operationId, version: request.version, dryRun: false, action: "retry" as const };
  const ofOriginal = { ...auditOfAct(ref, { ...act, id: original.row.id }, result), action: CORRECT };
  // The operation's record has one outcome, that of the original.
  const ofCopy: AuditRecord = {
    ...{ actor, action: CORRECTED_COPY, outbox: ref.name, messageId: copy.id, outcome: "done", reason },
    ...{ stateAfter: "pending", detail: detailOfCopy(corrected) },
  };
  return { result, audit: [ofOriginal, ofCopy] };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
