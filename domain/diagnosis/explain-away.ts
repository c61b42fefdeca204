import type { CauseDraft } from "./cause.ts";
import type { CauseCode } from "./words.ts";

export type RuledDraft = CauseDraft & { rule: CauseCode };

/** The findings that each rule explains; they are left out when it fires. */
const EXPLAINS: Partial<Record<CauseCode, readonly CauseCode[]>> = {
  mapping: ["no_relay_alive", "overdue", "no_progress"],
  no_relay_alive: ["overdue", "no_progress", "expired_claim", "sink_unavailable", "not_known"],
  relay_crashes: ["no_relay_alive", "overdue", "no_progress", "expired_claim"],
  read_only: [
    "no_relay_alive",
    "relay_crashes",
    "overdue",
    "no_progress",
    "expired_claim",
    "sink_unavailable",
    "not_known",
    "monitor_down",
    // Where nothing can be written, a lock keeps nobody from it; that on all tables is itself the reason.
    "locked",
  ],
  sink_unavailable: ["overdue", "no_progress", "route_failing"],
  route_failing: ["overdue", "no_progress"],
  foreign_relay: ["no_progress"],
  relays_differ: ["foreign_relay", "overdue", "no_progress"],
  locked: ["overdue", "no_progress", "expired_claim"],
  no_progress: ["overdue", "expired_claim"],
  failing: ["overdue"],
  expired_claim: ["overdue"],
  paused: ["overdue", "no_progress"],
};

/**
 * False for relays that differ in their addresses only and for a partial pause, which do not explain the rest, and for
 * a claim of unknown age and a route for which nothing waits, which explain nothing.
 */
function isWhole({ rule, word }: RuledDraft): boolean {
  if (rule === "expired_claim") return word !== "unknown";
  if (rule === "route_failing") return word !== "at_risk";
  if (rule === "relays_differ") return word === "in_part";
  return rule !== "paused" || word === "paused";
}

/** A heartbeat that is refused while the lease is renewed explains the silence alone, and not what waits. */
const OF_SILENCE: readonly CauseCode[] = ["no_relay_alive", "relay_crashes"];

/** A sink that one of several relays cannot use explains what is late, and no failure that another relay meets. */
const OF_A_SHARE: readonly CauseCode[] = ["overdue", "no_progress"];

function explainedBy({ rule, word }: RuledDraft): readonly CauseCode[] {
  if (rule === "read_only" && word === "unknown") return OF_SILENCE;
  return rule === "sink_unavailable" && word === "in_part" ? OF_A_SHARE : (EXPLAINS[rule] ?? []);
}

/** Leaves out drafts that another draft explains, and old transactions of sessions already reported as `locked`. */
export function explainAway(drafts: readonly RuledDraft[]): RuledDraft[] {
  const explained = new Set(drafts.filter(isWhole).flatMap(explainedBy));
  const lockers = new Set(drafts.filter((draft) => draft.rule === "locked").map((draft) => draft.key));
  return drafts.filter(
    (draft) => !explained.has(draft.rule) && !(draft.rule === "old_transaction" && lockers.has(draft.key)),
  );
}
