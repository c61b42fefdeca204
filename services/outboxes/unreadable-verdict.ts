import type { Verdict } from "#contracts/diagnosis.ts";

/** The verdict on an outbox that cannot be read at all: nothing is known of it, and that wakes someone. */
export function unreadableVerdict(outbox: string, problem: string): Verdict {
  return {
    word: "unknown",
    status: "fail",
    title: "Not known",
    cause: problem.replace(/\.$/, ""),
    since: null,
    evidence: "Nothing is known of this outbox until it can be read again.",
    more: null,
    next: { label: "See the settings", href: `/settings?${new URLSearchParams({ outbox })}` },
    causes: [],
  };
}
