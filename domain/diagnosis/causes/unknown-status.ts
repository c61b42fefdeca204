import { cutText } from "#domain/text/cut-text.ts";
import type { Rule } from "../cause.ts";
import type { Figures } from "../facts/figures.ts";
import type { UnknownWord } from "../facts/messages.ts";
import { evidenceOf, formatMessages, messagesPath, verb } from "../phrases.ts";

export const unknownStatus: Rule = {
  rule: "unknown_status",
  title: "Unknown status",
  definition:
    "The table holds status values that the mapping does not name. The console does not guess what they mean.",
  threshold: () => "at least one message",
  needs: [],
  isComplete: ({ figures }) => figures.unknownKnown,
  evaluate: ({ settings, facts, figures }) =>
    wordsOf(facts.unknownWords, figures).map(({ word, messages, capped }) => {
      const shown = word === null ? "NULL" : word === undefined ? "that" : `"${cutText(word, 60)}"`;
      const count = formatMessages(messages, capped);
      const unnamed =
        word === undefined
          ? `${count} ${verb(messages, "is", "are")} in a state that the mapping does not name`
          : `${count} ${verb(messages, "has", "have")} the status ${shown}, which the mapping does not name`;
      return {
        key: word === null ? "null" : word === undefined ? "some" : `word ${word}`,
        word: "unknown" as const,
        severity: "warn" as const,
        title: "Unknown status",
        subject: shown,
        what: unnamed,
        saysSince: false as const,
        diagnosis: `${verb(messages, "It is", "They are")} counted as unknown: neither pending nor published, and no relay of ours touches ${verb(messages, "it", "them")}.`,
        nextStep:
          word === undefined
            ? "Find out what the marks of these rows mean. Settings → Mapping shows which columns are read; lifecycle in outbox.yaml changes that."
            : word === null
              ? "Find out from the producer what NULL means. If such a row is new, add NULL to lifecycle.pending in outbox.yaml."
              : `Find out from the producer what ${shown} means, and name it under lifecycle in outbox.yaml.`,
        next: { label: "See the messages", path: messagesPath(settings.outbox, { state: "unknown" }) },
        messages,
        messagesCapped: capped,
        aggregates: null,
        since: null,
        evidence: evidenceOf({ Status: shown, Messages: formatMessages(messages, capped) }),
      };
    }),
};

/** The unknown status values with their counts. If the values were not read, only the total is known. */
function wordsOf(
  words: readonly UnknownWord[] | null | undefined,
  { unknown, unknownCapped }: Figures,
): (Omit<UnknownWord, "word"> & { word: string | null | undefined })[] {
  if (words && words.length > 0) return [...words];
  return unknown > 0 ? [{ word: undefined, messages: unknown, capped: unknownCapped }] : [];
}
