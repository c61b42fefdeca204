import type { Operation, OperationOutcome } from "#contracts/message/operations.ts";
import { formatCount } from "#domain/format.ts";
import { ACTION_WORDS } from "./action-words.ts";

/** A message's outcome, as every page calls it. */
export const OUTCOME_WORDS: Record<OperationOutcome["outcome"], string> = {
  done: "done",
  skipped: "skipped",
  failed: "failed",
  unknown: "in doubt",
};

/** "2 queued for another try, 1 skipped." Messages in doubt are not counted as done. */
export function summariseOutcomes(
  operation: Pick<Operation, "action" | "done" | "skipped" | "failed" | "unknown">,
): string {
  const parts = [
    ...(operation.done > 0 || operation.skipped + operation.failed + operation.unknown === 0
      ? [`${formatCount(operation.done)} ${ACTION_WORDS[operation.action].past}`]
      : ["None changed"]),
    ...(operation.skipped > 0 ? [`${formatCount(operation.skipped)} skipped`] : []),
    ...(operation.failed > 0 ? [`${formatCount(operation.failed)} failed`] : []),
    ...(operation.unknown > 0 ? [`${formatCount(operation.unknown)} in doubt`] : []),
  ];
  return `${parts.join(", ")}.`;
}
