import type { BlockedAggregate } from "#db/watchdog/facts.ts";
import { formatDuration, formatPlural } from "#domain/format.ts";
import type { FindingDraft, Rule, RuleInput } from "../rule.ts";
import {
  ageOf,
  ageSecondsOf,
  capitalise,
  endSentence,
  evidenceOf,
  formatMessages,
  messagesHref,
  verb,
} from "../rule-words.ts";

/** More than this are one finding: they will share a cause. */
const MOST_SHOWN = 5;
const HEAD_FAILED_SECONDS = 5;
/** A head that is this old waited behind others before it failed: its aggregate has been blocked all the while. */
const HEAD_OLD_SECONDS = 15;

export const blockedAggregate: Rule = {
  rule: "blocked_aggregate",
  title: "Blocked aggregate",
  definition: "The head of an aggregate failed and later messages of the same aggregate wait behind it, to keep order.",
  threshold: () =>
    `head failed for more than ${formatDuration(HEAD_FAILED_SECONDS)}, or written more than ${formatDuration(HEAD_OLD_SECONDS)} ago, with at least one message waiting behind it`,
  needs: ["blocked"],
  evaluate: (input) => {
    const blocked = (input.facts.blocked ?? []).filter(
      (one) =>
        one.waiting > 0 &&
        one.firstFailedAt !== null &&
        (ageSecondsOf(one.firstFailedAt, input.asOf) > HEAD_FAILED_SECONDS ||
          (one.headCreatedAt !== null && ageSecondsOf(one.headCreatedAt, input.asOf) > HEAD_OLD_SECONDS)),
    );
    if (blocked.length > MOST_SHOWN) return [draftOfMany(input, blocked)];
    return blocked.map((one) => draftOfOne(input, one));
  },
};

function draftOfOne({ settings, asOf }: RuleInput, one: BlockedAggregate): FindingDraft {
  const waiting = formatMessages(one.waiting, one.waitingCapped);
  const error = one.error ?? one.errorCode ?? "an error that was not recorded";
  const retry = one.nextAttemptAt && ageSecondsOf(one.nextAttemptAt, asOf) === 0 ? nextTry(one, asOf) : null;
  return {
    key: one.aggregate,
    severity: "warn",
    title: "Blocked aggregate",
    subject: one.aggregate,
    diagnosis: `${capitalise(waiting)} of ${one.aggregate} ${verb(one.waiting, "waits", "wait")} behind a head that failed ${formatPlural(one.attempts, "time")}: ${endSentence(error)} All other aggregates flow.`,
    nextStep:
      "Open the head and read its error. Once the cause is gone it is retried by itself, or retry it now; dead-letter it only if the messages behind it may be delivered without it. To stop its retries for a while, pause the aggregate on the head's page.",
    href: messagesHref(settings.outbox, { state: "unsent", aggregateId: one.aggregateId }),
    messages: one.waiting + 1,
    aggregates: 1,
    since: one.firstFailedAt,
    evidence: evidenceOf({
      Head: one.headId,
      Type: one.eventType,
      Error: error,
      Attempts: String(one.attempts),
      "Failing for": one.firstFailedAt ? ageOf(one.firstFailedAt, asOf) : null,
      "Next attempt": retry,
      "Waiting behind it": waiting,
    }),
  };
}

function nextTry(one: BlockedAggregate, asOf: string): string {
  return `in ${formatDuration((Date.parse(one.nextAttemptAt ?? asOf) - Date.parse(asOf)) / 1000)}`;
}

function draftOfMany({ settings, asOf }: RuleInput, blocked: BlockedAggregate[]): FindingDraft {
  const waiting = blocked.reduce((sum, one) => sum + one.waiting, 0);
  const since = blocked.map((one) => one.firstFailedAt ?? asOf).sort()[0] ?? null;
  const causes = new Map<string, number>();
  for (const one of blocked) {
    const cause = one.error ?? one.errorCode ?? "not recorded";
    causes.set(cause, (causes.get(cause) ?? 0) + 1);
  }
  const [commonest = "not recorded", times = 0] = [...causes].sort((a, b) => b[1] - a[1])[0] ?? [];
  return {
    key: "many",
    severity: "warn",
    title: "Blocked aggregates",
    subject: formatPlural(blocked.length, "aggregate"),
    diagnosis: `${formatPlural(blocked.length, "aggregate")} ${verb(blocked.length, "is", "are")} blocked by a failed head, with ${formatMessages(waiting)} waiting behind. The commonest error, in ${times} of them: ${endSentence(commonest)}`,
    nextStep:
      "Read the commonest error first: so many at once usually share a cause at the receiver. They are retried by themselves once it is gone.",
    href: messagesHref(settings.outbox, { state: "failed" }),
    messages: waiting + blocked.length,
    aggregates: blocked.length,
    since,
    evidence: blocked.slice(0, MOST_SHOWN).map((one) => ({
      label: one.aggregate,
      value: `${one.waiting} waiting; ${one.error ?? one.errorCode ?? "error not recorded"}`,
    })),
  };
}
