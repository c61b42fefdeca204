import { formatDuration } from "#domain/format.ts";
import type { Rule } from "../rule.ts";
import { capitalise, evidenceOf, formatInstant, formatMessages, messagesHref, verb } from "../rule-words.ts";

export const scheduledFar: Rule = {
  rule: "scheduled_far",
  title: "Scheduled far ahead",
  definition:
    "A message is to become available only in the far future: more often a wrong unit or zone than an intention.",
  threshold: (settings) => `more than ${formatDuration(settings.scheduledFarSeconds)} ahead`,
  needs: ["scheduledFar"],
  evaluate: ({ settings, facts }) => {
    const { scheduledFar: found } = facts;
    if (!found || found.messages === 0) return [];
    const messages = formatMessages(found.messages, found.capped);
    return [
      {
        key: "scheduled",
        severity: "warn",
        title: "Scheduled far ahead",
        subject: messages,
        diagnosis: `${capitalise(messages)} ${verb(found.messages, "is", "are")} scheduled more than ${formatDuration(settings.scheduledFarSeconds)} ahead${found.latestAt ? `, the furthest for ${formatInstant(found.latestAt)}` : ""}. They are not sent before that.`,
        nextStep:
          "Check with the producer whether this is meant; a time in milliseconds taken for seconds looks like this. If not, correct the producer first and then these rows.",
        href: messagesHref(settings.outbox, { state: "pending" }),
        messages: found.messages,
        aggregates: null,
        since: null,
        evidence: evidenceOf({ Scheduled: messages, Furthest: found.latestAt ? formatInstant(found.latestAt) : null }),
      },
    ];
  },
};
