import type { DiagnosisInput, Rule } from "../cause.ts";
import { byAge, evidenceOf, formatMessages, messagesPath, verb } from "../phrases.ts";

export const orderless: Rule = {
  rule: "orderless",
  title: "No place in the order",
  definition:
    "Messages have no value in the column by which our relay orders them. A running relay reads onward from its last position and never reaches them.",
  threshold: () => "any message",
  needs: ["orderless"],
  evaluate: (input) => {
    const { settings, facts } = input;
    const found = facts.orderless;
    if (!found || found.messages === 0 || settings.mode !== "relay") return [];
    const messages = formatMessages(found.messages, found.capped);
    const have = verb(found.messages, "has", "have");
    const them = verb(found.messages, "it", "them");
    return [
      {
        key: "orderless",
        word: "in_part",
        severity: byAge(input),
        title: "Messages without a place in the order",
        subject: messages,
        what: `${messages} ${have} no value in ${found.column}, so a running relay does not find ${them}`,
        clauses: [],
        diagnosis: `The relay reads this outbox in the order of ${found.column}, onward from the last value that it saw. A row without a value is never reached; only a relay that has just started may send ${them}, in no particular order.`,
        nextStep: `Set ${found.column} in ${verb(found.messages, "this row", "these rows")}, in the order in which they are to be sent, and let the database fill it for new rows (an identity column, a sequence, AUTO_INCREMENT). Or name another column as order in outbox.yaml.`,
        next: { label: "See what waits", path: messagesPath(settings.outbox, { state: "unsent" }) },
        messages: found.messages,
        messagesCapped: found.capped,
        aggregates: null,
        since: found.oldestAt,
        evidence: evidenceOf({ Column: found.column, Messages: messages }),
      },
    ];
  },
};

/** True if no more messages wait than those that have no place in the order. */
export function allAreOrderless({ settings, facts, figures }: DiagnosisInput): boolean {
  const found = facts.orderless;
  if (!found || found.messages === 0 || settings.mode !== "relay" || !figures.waitingKnown) return false;
  return found.capped || (!figures.waitingCapped && figures.waiting <= found.messages);
}

/** True if no more messages wait too long than those that have no place in the order: these wait longest. */
export function lateAreOrderless({ settings, facts }: DiagnosisInput): boolean {
  const { orderless: found, waiting } = facts;
  if (!found || !waiting || waiting.capped || settings.mode !== "relay") return false;
  return waiting.overdue > 0 && waiting.overdue <= found.messages;
}
