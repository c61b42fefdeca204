import type { Operation, OperationOutcome } from "#contracts/message/operations.ts";
import type { AuditedChange } from "#db/stores/port/operations.ts";

type Head = Pick<Operation, "id" | "outbox" | "action" | "actor" | "reason" | "at" | "dryRun">;

export function toOperation(head: Head, outcomes: OperationOutcome[], finished: boolean): Operation {
  const count = (outcome: OperationOutcome["outcome"]) => outcomes.filter((one) => one.outcome === outcome).length;
  return {
    id: head.id,
    outbox: head.outbox,
    action: head.action,
    actor: head.actor,
    reason: head.reason,
    at: head.at,
    dryRun: head.dryRun,
    finished,
    done: count("done"),
    skipped: count("skipped"),
    failed: count("failed"),
    unknown: count("unknown"),
    outcomes,
    bulk: null,
  };
}

export function withoutState(
  id: string,
  outcome: "skipped" | "failed" | "unknown",
  code: string,
  message: string,
): OperationOutcome {
  return { id, outcome, code, message, stateBefore: null, stateAfter: null, version: null };
}

/** The record of a new operation: every outcome is unknown. */
export function firstRecord(head: Head, ids: readonly string[]): Operation {
  const outcomes = ids.map((id) => withoutState(id, "unknown", "unavailable", "No outcome was recorded for it yet."));
  return toOperation(head, outcomes, false);
}

/** Adds the changes that the audit shows so far; the rest stays unknown. */
export function withChanges(record: Operation, changes: readonly AuditedChange[]): Operation {
  return toOperation(record, record.outcomes.map(audited(changes)), false);
}

/**
 * The final record. A message without an audit row was not changed, because both commit together. If an audit row
 * matches no target, an id was spelled differently; then missing outcomes stay unknown.
 */
export function finishRecord(record: Operation, changes: readonly AuditedChange[]): Operation {
  const ids = new Set(record.outcomes.map(({ id }) => id));
  const spelledAlike = changes.every(({ messageId }) => ids.has(messageId));
  const outcomes = record.outcomes.map(audited(changes)).map((outcome) => {
    if (outcome.outcome !== "unknown" || !spelledAlike) return outcome;
    return withoutState(
      outcome.id,
      "failed",
      "unavailable",
      "Not changed: the connection to the database was lost before the commit.",
    );
  });
  return toOperation(record, outcomes, true);
}

function audited(changes: readonly AuditedChange[]) {
  const byId = new Map(changes.map((change) => [change.messageId, change]));
  return (outcome: OperationOutcome): OperationOutcome => {
    const change = outcome.outcome === "unknown" ? byId.get(outcome.id) : undefined;
    if (!change) return outcome;
    const { stateBefore, stateAfter } = change;
    return {
      id: outcome.id,
      outcome: "done",
      code: null,
      message: change.detail ?? "",
      stateBefore,
      stateAfter,
      version: null,
    };
  };
}
