import { fingerprint } from "#domain/message/fingerprint.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { MessageRow } from "../../port/message-row.ts";
import { decisionIn } from "../../port/seen-version.ts";
import { isWritten } from "../../port/written-columns.ts";

/** Actions on a failing message that remain the right decision after one more failed attempt of the same kind. */
const STANDING: readonly MessageAction[] = ["retry", "dead-letter"];

/** Columns that an attempt writes; the operator's decision is based on all other columns of the row. */
export function attemptColumns({ columns, lifecycle, resets }: OutboxMapping): string[] {
  const { attempts, lastError, availableAt, lockedUntil, lockedBy } = columns;
  const status = lifecycle.kind === "status" ? lifecycle.column : undefined;
  const due = (attempts || status) && isWritten(availableAt) ? availableAt : undefined;
  const written = [attempts, lastError, due, lockedUntil, lockedBy, status].flatMap((column) => column?.name ?? []);
  return [...written, ...(resets ?? []).map(({ column }) => column.name)];
}

/** The error as in failure groups: texts that differ only in ids and times are equal. */
export function errorOf({ lastErrorCode, lastError, eventType }: MessageRow): string {
  return fingerprint({ code: lastErrorCode ?? "unknown", error: lastError ?? "", eventType });
}

/**
 * Whether a decision may still stand for a message that has changed since: it failed then and fails now, or an attempt
 * is under way, which the action waits for. The digests show whether it does.
 */
export function mayStand(action: MessageAction, seen: string, { state, claimUndated }: MessageRow): boolean {
  const failing = state === "failed" || (state === "in_flight" && !claimUndated);
  return STANDING.includes(action) && decisionIn(seen) !== null && failing;
}
