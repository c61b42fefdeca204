import type { Verdict } from "#contracts/diagnosis.ts";
import type { Mode } from "#domain/operator.ts";
import { findingId } from "../findings/finding-id.ts";

/** The verdict on an outbox that cannot be read at all: nothing is known of it, and ours publishes nothing. */
export function unreadableVerdict(input: {
  outbox: string;
  mode: Mode;
  problem: string;
  status: "warn" | "fail";
}): Verdict {
  const { outbox, mode, problem, status } = input;
  const relayed = mode === "relay";
  return {
    word: relayed && status === "fail" ? "not_delivering" : "unknown",
    status,
    title: relayed && status === "fail" ? "Not delivering" : "Not known",
    cause: problem.replace(/\.$/, ""),
    since: null,
    evidence: "Nothing is known of this outbox until it can be read again.",
    more: null,
    next: { label: "See the settings", href: `/settings?${new URLSearchParams({ outbox })}` },
    causes: [
      {
        id: findingId(outbox, "mapping", "unreadable"),
        rule: "mapping",
        word: relayed && status === "fail" ? "not_delivering" : "unknown",
        severity: status,
        sentence: problem.replace(/\.$/, ""),
        since: null,
        messages: null,
      },
    ],
  };
}
