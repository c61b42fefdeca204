import { formatCount, formatDuration, formatLimit, formatPlural } from "../../format.ts";
import { describeMessages } from "../../reconciliation/describe.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { ConsumerFacts } from "../facts/consumers.ts";
import { evidenceOf, formatInstant, formatMessages, inboxPath, verb } from "../phrases.ts";

export const notProcessed: Rule = {
  rule: "not_processed",
  title: "Not processed",
  definition:
    "Messages are marked as published, and the consumer's inbox does not show that it processed them. They may never have reached the broker.",
  threshold: () => "published longer ago than the inbox's processWithin",
  needs: ["consumers"],
  isComplete,
  evaluate: ({ settings, facts }) =>
    (facts.consumers?.checks ?? []).flatMap((consumer) =>
      consumer.notProcessed > 0 ? [missedDraft(settings.outbox, consumer)] : [],
    ),
};

export const unmatchedRows: Rule = {
  rule: "unmatched_rows",
  title: "Unmatched inbox rows",
  definition:
    "An inbox holds rows of messages that none of its outboxes holds: something else sends to this consumer, or a message was published without its row.",
  threshold: () => "at least one among the newest rows of an inbox",
  needs: ["consumers"],
  isComplete: (input) => isComplete(input) && !input.facts.consumers?.checks.some(({ rows }) => rows === null),
  evaluate: ({ settings, facts }) =>
    (facts.consumers?.checks ?? []).flatMap((consumer) =>
      consumer.rows && consumer.rows.unmatched > 0 ? [unmatchedDraft(settings.outbox, consumer, consumer.rows)] : [],
    ),
};

/** False while no inbox is to be checked, or one could not be. */
function isComplete({ facts }: DiagnosisInput): boolean {
  return facts.consumers?.unchecked === 0;
}

/** Never a failure: the outbox did its part, as far as its own rows say. */
function missedDraft(outbox: string, consumer: ConsumerFacts): CauseDraft {
  const { inbox, notProcessed: messages, capped, withinSeconds, oldest, checked, reasons } = consumer;
  const limit = formatLimit(withinSeconds);
  const what = `the consumer of inbox ${inbox} has not processed ${formatMessages(messages, capped)} that ${verb(messages, "was", "were")} published more than ${limit} ago`;
  const where = [
    reasons.absent > 0
      ? `${formatCount(reasons.absent)} ${verb(reasons.absent, "has", "have")} no row in the inbox`
      : null,
    reasons.unprocessed > 0
      ? `${formatCount(reasons.unprocessed)} ${verb(reasons.unprocessed, "waits", "wait")} there`
      : null,
    reasons.failed > 0 ? `${formatCount(reasons.failed)} failed there` : null,
  ].filter((part) => part !== null);
  return {
    key: `inbox ${inbox}`,
    word: "at_risk",
    severity: "warn",
    title: "Not processed",
    subject: inbox,
    what,
    saysSince: false,
    clauses: [
      oldest
        ? `the oldest was published ${oldest.atLeast ? "at least " : ""}${formatDuration(oldest.publishedSeconds)} ago`
        : null,
      where.join(", "),
    ],
    diagnosis: describeMessages(checked),
    nextStep:
      reasons.absent > 0
        ? "See whether the broker has these messages, whether the relay marks a message only once the broker has confirmed it, and whether the consumer runs."
        : "See why the consumer does not process what it has received: its log, and the errors in the inbox.",
    next: { label: "See the messages", path: inboxPath(outbox, inbox) },
    messages,
    messagesCapped: capped,
    aggregates: null,
    since: oldest?.overdueAt ?? null,
    evidence: evidenceOf({
      Inbox: inbox,
      Limit: limit,
      "No row": formatCount(reasons.absent),
      "Not processed": formatCount(reasons.unprocessed),
      Failed: formatCount(reasons.failed),
      "Looked up": formatCount(checked.checked),
      "Checked at": formatInstant(checked.at),
    }),
  };
}

function unmatchedDraft(
  outbox: string,
  { inbox }: ConsumerFacts,
  { unmatched, checked }: NonNullable<ConsumerFacts["rows"]>,
): CauseDraft {
  const what = `${formatCount(unmatched)} of the newest ${formatPlural(checked, "row")} of inbox ${inbox} ${verb(unmatched, "names a message", "name messages")} that ${verb(unmatched, "is", "are")} in none of its outboxes`;
  return {
    key: `inbox ${inbox}`,
    word: "at_risk",
    severity: "warn",
    title: "Unmatched inbox rows",
    subject: inbox,
    what,
    saysSince: false,
    diagnosis:
      "Rows older than the oldest message looked up are not counted: their messages may have been removed. The message of a row that was processed late may be gone for the same reason.",
    nextStep:
      "If the outbox removed messages before this consumer processed them, nothing is wrong. Otherwise find the sender: another outbox (name it under `outbox` of this inbox), or a service that publishes without its outbox and can lose events.",
    next: { label: "See the rows", path: inboxPath(outbox, inbox) },
    messages: null,
    aggregates: null,
    since: null,
    evidence: evidenceOf({ Inbox: inbox, Rows: formatCount(unmatched), "Looked for": formatCount(checked) }),
  };
}
