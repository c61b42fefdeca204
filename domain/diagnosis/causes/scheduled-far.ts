import { formatLimit } from "../../format.ts";
import type { Rule } from "../cause.ts";
import { evidenceOf, formatInstant, formatMessages, messagesPath, verb } from "../phrases.ts";

export const scheduledFar: Rule = {
  rule: "scheduled_far",
  title: "Scheduled far ahead",
  definition: "A message is scheduled far ahead. This is usually a wrong time unit or time zone.",
  threshold: (settings) => `more than ${formatLimit(settings.scheduledFarSeconds)} ahead`,
  needs: ["scheduledFar"],
  evaluate: ({ settings, facts }) => {
    const found = facts.scheduledFar;
    if (!found || found.messages === 0) return [];
    const messages = formatMessages(found.messages, found.capped);
    const are = `${messages} ${verb(found.messages, "is", "are")} scheduled more than ${formatLimit(settings.scheduledFarSeconds)} ahead`;
    const furthest = found.latestAt ? `the furthest for ${formatInstant(found.latestAt)}` : null;
    return [
      {
        key: "scheduled",
        word: "at_risk",
        severity: "warn",
        title: "Scheduled far ahead",
        subject: messages,
        what: are,
        saysSince: false,
        clauses: [furthest],
        diagnosis: `No relay sends ${verb(found.messages, "it", "them")} before that.`,
        nextStep:
          "Ask the producer's team whether this is intended; milliseconds read as seconds look like this. If not, correct the producer first, then these rows.",
        next: { label: "See the messages", path: messagesPath(settings.outbox, { state: "pending" }) },
        messages: found.messages,
        messagesCapped: found.capped,
        aggregates: null,
        since: null,
        evidence: evidenceOf({ Scheduled: messages, Furthest: found.latestAt ? formatInstant(found.latestAt) : null }),
      },
    ];
  },
};
