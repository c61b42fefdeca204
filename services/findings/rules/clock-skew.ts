import { formatDuration } from "#domain/format.ts";
import type { Rule } from "../rule.ts";
import { capitalise, evidenceOf, formatInstant, formatMessages, messagesHref, verb } from "../rule-words.ts";

export const clockSkew: Rule = {
  rule: "clock_skew",
  title: "Clock skew",
  definition:
    "A message was created in the database's future: a producer sets the time itself, by a clock or zone that is wrong.",
  threshold: (settings) =>
    `created more than ${formatDuration(settings.clockSkewSeconds)} ahead of the database's clock`,
  needs: ["clockSkew"],
  evaluate: ({ settings, facts, asOf }) => {
    const { clockSkew: found } = facts;
    if (!found || found.messages === 0) return [];
    const messages = formatMessages(found.messages, found.capped);
    const ahead = found.latestAt ? formatDuration((Date.parse(found.latestAt) - Date.parse(asOf)) / 1000) : null;
    return [
      {
        key: "clock",
        severity: "warn",
        title: "Clock skew",
        subject: ahead ? `${ahead} ahead` : messages,
        diagnosis: `${capitalise(messages)} ${verb(found.messages, "has", "have")} a creation time in the future${ahead ? `, by up to ${ahead}` : ""}. Ages and latencies of ${verb(found.messages, "it", "them")} are wrong, and where order follows the creation time so is the order.`,
        nextStep:
          "Let the database set the creation time (DEFAULT now()), or correct the producer's clock; if whole hours are off, map the column's time zone in outbox.yaml.",
        href: messagesHref(settings.outbox, { from: asOf }),
        messages: found.messages,
        aggregates: null,
        since: null,
        evidence: evidenceOf({
          Messages: messages,
          "Furthest ahead": ahead,
          "Latest creation": found.latestAt ? formatInstant(found.latestAt) : null,
        }),
      },
    ];
  },
};
