import type { FindingDraft, FindingRule } from "./rule.ts";

export type RuledDraft = FindingDraft & { rule: FindingRule };

/** What each rule, once it fires, is cause enough for: those rules then say nothing. */
const EXPLAINS: Partial<Record<FindingRule, readonly FindingRule[]>> = {
  no_relay_alive: ["overdue", "no_progress", "expired_claim", "sink_unavailable"],
  sink_unavailable: ["overdue", "no_progress"],
  foreign_relay: ["overdue", "no_progress"],
  locked: ["overdue", "no_progress"],
  no_progress: ["overdue"],
};

/**
 * One trouble is one finding: what follows from another finding is left out, and a session that holds locks is not told
 * again as an old transaction. Lock findings explain only when they are grave.
 */
export function explainAway(drafts: readonly RuledDraft[]): RuledDraft[] {
  const causes = drafts.filter((draft) => draft.severity === "fail" || draft.rule === "no_relay_alive");
  const explained = new Set(causes.flatMap((draft) => EXPLAINS[draft.rule] ?? []));
  const lockers = new Set(drafts.filter((draft) => draft.rule === "locked").map((draft) => draft.key));
  return drafts.filter(
    (draft) => !explained.has(draft.rule) && !(draft.rule === "old_transaction" && lockers.has(draft.key)),
  );
}
