import type { DiagnosisInput, Rule } from "../cause.ts";
import { byAge, evidenceOf, formatMessages, messagesPath, verb } from "../phrases.ts";

export const orderless: Rule = {
  rule: "orderless",
  title: "No place in the order",
  definition:
    "Messages have no value in the column by which our relay orders them. A relay reads on from where it was, and so does not find them while it runs.",
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
        diagnosis: `${found.column} orders the messages of this outbox. The relay reads on from the last value that it has seen, and an empty one is behind none. A relay that starts may send ${them}, in no order.`,
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
