import { formatDuration, formatPlural } from "#domain/format.ts";
import type { Rule } from "../rule.ts";
import {
  ageOf,
  ageSecondsOf,
  capitalise,
  evidenceOf,
  formatInstant,
  formatMessages,
  messagesHref,
  verb,
} from "../rule-words.ts";

export const overdue: Rule = {
  rule: "overdue",
  title: "Overdue",
  definition: "A message was due longer ago than the outbox's limit, and no other rule says why.",
  threshold: (settings) => `due for more than ${formatDuration(settings.overdueSeconds)}`,
  needs: ["waiting"],
  evaluate: ({ settings, facts, asOf }) => {
    const { waiting } = facts;
    if (!waiting || waiting.overdue === 0 || waiting.oldestDueAt === null) return [];
    const messages = formatMessages(waiting.overdue, waiting.capped);
    const ours = settings.mode === "relay";
    const published = (facts.relays?.instances ?? [])
      .map((one) => one.lastPublishedAt ?? "")
      .sort()
      .at(-1);
    const busy = published ? ageSecondsOf(published, asOf) <= settings.relaySilentSeconds : false;
    return [
      {
        key: "overdue",
        severity: "fail",
        title: "Overdue messages",
        subject: `oldest due ${ageOf(waiting.oldestDueAt, asOf)} ago`,
        diagnosis: `${capitalise(messages)} ${verb(waiting.overdue, "was", "were")} due more than ${formatDuration(settings.overdueSeconds)} ago and ${verb(waiting.overdue, "is", "are")} not published; the oldest waits since ${formatInstant(waiting.oldestDueAt)}. ${
          busy ? "The relay is publishing at this moment but is behind." : "No failed head, lock or outage explains it."
        }`,
        nextStep: ours
          ? "Compare the in and out rates on the Overview: if the relay is merely slower than the producers the age will fall by itself; otherwise open the oldest message and see why it is not moving."
          : "Check that the relay that serves this table is running and that its query finds these rows; the console only watches this outbox.",
        href: messagesHref(settings.outbox, { state: "unsent" }),
        messages: waiting.overdue,
        aggregates: waiting.overdueAggregates || null,
        since: null,
        evidence: evidenceOf({
          Overdue: messages,
          Aggregates: waiting.overdueAggregates ? formatPlural(waiting.overdueAggregates, "aggregate") : null,
          "Oldest due since": formatInstant(waiting.oldestDueAt),
          "Due in all": formatMessages(waiting.due, waiting.capped),
        }),
      },
    ];
  },
};
