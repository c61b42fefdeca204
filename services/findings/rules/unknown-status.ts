import type { Rule } from "../rule.ts";
import { capitalise, evidenceOf, formatMessages, messagesHref, verb } from "../rule-words.ts";

export const unknownStatus: Rule = {
  rule: "unknown_status",
  title: "Unknown status",
  definition: "The table holds status values that the mapping does not name; nobody may guess what they mean.",
  threshold: () => "at least one message",
  needs: ["unknownWords"],
  evaluate: ({ settings, facts }) =>
    (facts.unknownWords ?? []).map(({ word, messages, capped }) => {
      const shown = word === null ? "NULL" : `"${word.slice(0, 60)}"`;
      return {
        key: word === null ? "null" : `word ${word}`,
        severity: "warn" as const,
        title: "Unknown status",
        subject: shown,
        diagnosis: `${capitalise(formatMessages(messages, capped))} ${verb(messages, "has", "have")} the status ${shown}, which the mapping does not name. ${verb(messages, "It is", "They are")} counted as unknown: neither pending nor published, and no relay of ours touches ${verb(messages, "it", "them")}.`,
        nextStep: `Find out from the producer what ${shown} means and name it under lifecycle in outbox.yaml.`,
        href: messagesHref(settings.outbox, { state: "unknown" }),
        messages,
        aggregates: null,
        since: null,
        evidence: evidenceOf({ Status: shown, Messages: formatMessages(messages, capped) }),
      };
    }),
};
