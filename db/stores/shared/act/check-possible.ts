import { AppError } from "#domain/errors.ts";
import { canPerform, type MessageAction, refusalReason } from "#domain/message/message-state.ts";
import type { MessageRow } from "../../port/message-row.ts";
import { isSameVersion } from "../../port/seen-version.ts";

/**
 * Throws `conflict`, `in_flight` or `wrong_state` where an action is not possible on a row as it was just read.
 * `version`: as the operator saw it; `stands`: that decision holds although the row has changed since.
 */
export function checkPossible(
  row: MessageRow,
  { action, version }: { action: MessageAction; version: string },
  stands = false,
): void {
  if (!stands) requireUnchanged(row, version);
  requireUnclaimed(row);
  if (canPerform(action, row)) return;
  throw new AppError("wrong_state", refusalReason(action, row) ?? "That is not possible now.", {
    details: { state: row.state },
  });
}

/** Throws `conflict` where the row is no longer as the operator saw it. */
export function requireUnchanged(row: MessageRow, version: string): void {
  if (!isSameVersion(row.version, version)) throw changedSince(row);
}

/** Throws `in_flight`. A claim without an expiry passes, as there is nothing to wait for. */
export function requireUnclaimed({ state, claimUndated }: MessageRow): void {
  if (state === "in_flight" && !claimUndated)
    throw new AppError("in_flight", "A relay is publishing it right now; try again in a moment.");
}

/** `state`: the one it has now. */
export function changedSince({ state }: Pick<MessageRow, "state">): AppError {
  return new AppError(
    "conflict",
    `It has changed since you looked: it is ${state.replace("_", " ")} now. Look again before you act.`,
    { details: { state } },
  );
}
