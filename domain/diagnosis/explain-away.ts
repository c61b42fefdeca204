import type { CauseDraft } from "./cause.ts";
import type { CauseCode } from "./words.ts";

export type RuledDraft = CauseDraft & { rule: CauseCode };

/** What each rule, once it fires, is cause enough for: those rules then stay silent. */
const EXPLAINS: Partial<Record<CauseCode, readonly CauseCode[]>> = {
  mapping: ["no_relay_alive", "overdue", "no_progress"],
  no_relay_alive: ["overdue", "no_progress", "expired_claim", "sink_unavailable", "not_known"],
  sink_unavailable: ["overdue", "no_progress", "route_failing"],
  route_failing: ["overdue", "no_progress"],
  foreign_relay: ["no_progress"],
  locked: ["overdue", "no_progress", "expired_claim"],
  no_progress: ["overdue", "expired_claim"],
  failing: ["overdue"],
  expired_claim: ["overdue"],
  paused: ["overdue", "no_progress"],
};

/** What is paused in part says nothing of the rest, and a claim of unknown age explains nothing. */
function isWhole({ rule, word }: RuledDraft): boolean {
  if (rule === "expired_claim") return word !== "unknown";
  return rule !== "paused" || word === "paused";
}

/** One trouble is one cause: what follows from another cause is left out, and a session that holds locks is not named again as an old transaction. */
export function explainAway(drafts: readonly RuledDraft[]): RuledDraft[] {
  const explained = new Set(drafts.filter(isWhole).flatMap((draft) => EXPLAINS[draft.rule] ?? []));
  const lockers = new Set(drafts.filter((draft) => draft.rule === "locked").map((draft) => draft.key));
  return drafts.filter(
    (draft) => !explained.has(draft.rule) && !(draft.rule === "old_transaction" && lockers.has(draft.key)),
  );
}
