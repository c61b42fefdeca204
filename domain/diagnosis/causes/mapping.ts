import type { Rule } from "../cause.ts";
import { allWaits, heldUp, pagePath } from "../phrases.ts";

export const mapping: Rule = {
  rule: "mapping",
  title: "Mapping",
  definition:
    "The meaning of the table's columns is only a guess, or has changed since it was accepted. Nothing is published and no action is possible until someone confirms it.",
  threshold: () => "at once, in the modes operate and relay",
  needs: ["mappingStop"],
  evaluate: (input) => {
    const { settings, facts } = input;
    const stop = facts.mappingStop;
    if (!stop) return [];
    const text = stop.message.replace(/\.$/, "");
    return [
      {
        key: "mapping",
        word: settings.mode === "relay" ? "not_delivering" : "unknown",
        severity: stop.severity,
        title: "Mapping",
        subject: settings.outbox,
        what: text.charAt(0).toLowerCase() + text.slice(1),
        saysSince: false,
        clauses: [allWaits(input)],
        diagnosis: stop.message,
        nextStep: stop.remedy,
        next: { label: "See the mapping", path: pagePath("settings", settings.outbox) },
        ...heldUp(input),
        aggregates: null,
        since: null,
        evidence: [],
      },
    ];
  },
};
