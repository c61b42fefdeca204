import { formatCount, formatDuration, formatLimit, formatPlural } from "../../format.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import { type FailingHead, MOST_HEADS } from "../facts/messages.ts";
import {
  ageOf,
  ageSecondsOf,
  byAge,
  evidenceOf,
  formatMessages,
  messagesPath,
  pagePath,
  shortError,
  shortName,
  typeName,
  waits,
} from "../phrases.ts";
import { openRoutes } from "./route-failing.ts";

/** More blocked aggregates than this become one finding: they probably share a cause. */
const MOST_SHOWN = 5;
const HEAD_FAILED_SECONDS = 5;
/** A failed head older than this waited behind earlier ones, so its aggregate has been blocked all that time. */
const HEAD_OLD_SECONDS = 15;

export const blockedAggregate: Rule = {
  rule: "blocked_aggregate",
  title: "Blocked aggregate",
  definition: "The head of an aggregate failed, and later messages of the same aggregate wait behind it to keep order.",
  threshold: () =>
    `head failing for more than ${formatLimit(HEAD_FAILED_SECONDS)}, or failed and created more than ${formatLimit(HEAD_OLD_SECONDS)} ago, with at least one message waiting behind it; a failure once the age limit is reached`,
  needs: ["blocked"],
  isComplete: (input) => lastingHeads(input).every(({ waiting }) => waiting !== null),
  evaluate: (input) => {
    const blocked = lastingHeads(input).filter(isBlocking);
    if (blocked.length > MOST_SHOWN) return [draftOfMany(input, blocked)];
    return blocked.map((head) => draftOfOne(input, head));
  },
};

/** Heads that have failed for a while and whose event type has no open breaker. */
export function lastingHeads(input: DiagnosisInput): FailingHead[] {
  const routes = new Set(openRoutes(input).map(({ name }) => name));
  return (input.facts.blocked ?? []).filter(
    (head) =>
      head.firstFailedAt !== null &&
      !(head.eventType !== null && routes.has(head.eventType)) &&
      (ageSecondsOf(head.firstFailedAt, input.asOf) > HEAD_FAILED_SECONDS ||
        (head.headCreatedAt !== null && ageSecondsOf(head.headCreatedAt, input.asOf) > HEAD_OLD_SECONDS)),
  );
}

type BlockingHead = FailingHead & { waiting: number };

function isBlocking(head: FailingHead): head is BlockingHead {
  return head.waiting !== null && head.waiting > 0;
}

function errorOf(head: FailingHead): string {
  return head.error || head.errorCode || "the error was not recorded";
}

function draftOfOne(input: DiagnosisInput, head: BlockingHead): CauseDraft {
  const { settings, asOf } = input;
  const behind = formatMessages(head.waiting, head.waitingCapped);
  const error = errorOf(head);
  return {
    key: head.aggregate,
    word: "in_part",
    severity: byAge(input),
    title: "Blocked aggregate",
    subject: shortName(head.aggregate),
    what: `the aggregate ${shortName(head.aggregate)} is blocked by ${head.eventType === null ? "a message without a type" : typeName(head.eventType)} (${shortError(error)})`,
    clauses: [`${waits(head.waiting, head.waitingCapped)} behind it`],
    diagnosis: `Its head has failed ${formatPlural(head.attempts, "time")}. The messages behind it wait so that their order is kept.`,
    nextStep:
      "Open the head and read its error. The relay keeps retrying it. Retry it now, or dead-letter it if the messages behind it may be delivered without it. To stop its retries for a while, pause the aggregate on the head's page.",
    next: {
      label: `See what is blocked: ${shortName(head.aggregate)}`,
      path: messagesPath(settings.outbox, { state: "unsent", aggregateId: head.aggregateId }),
    },
    messages: head.waiting + 1,
    messagesCapped: head.waitingCapped,
    aggregates: 1,
    since: head.firstFailedAt,
    evidence: evidenceOf({
      Head: head.headId,
      Type: head.eventType,
      Error: error,
      Attempts: String(head.attempts),
      "Failing for": head.firstFailedAt ? ageOf(head.firstFailedAt, asOf) : null,
      "Next attempt": nextAttempt(head, asOf),
      "Waiting behind it": behind,
    }),
  };
}

function nextAttempt(head: FailingHead, asOf: string): string | null {
  if (head.nextAttemptAt === null || head.nextAttemptAt <= asOf) return null;
  return `in ${formatDuration((Date.parse(head.nextAttemptAt) - Date.parse(asOf)) / 1000)}`;
}

/** The commonest type and error of some heads, and how many have it. */
export function commonestOf(heads: readonly FailingHead[]): { eventType: string | null; error: string; times: number } {
  const groups = new Map<string, { eventType: string | null; error: string; times: number }>();
  for (const head of heads) {
    const error = shortError(errorOf(head));
    const key = JSON.stringify([head.eventType, error]);
    const group = groups.get(key) ?? { eventType: head.eventType, error, times: 0 };
    groups.set(key, { ...group, times: group.times + 1 });
  }
  const [first] = [...groups.values()].sort((one, other) => other.times - one.times);
  return first ?? { eventType: null, error: "the error was not recorded", times: 0 };
}

function draftOfMany(input: DiagnosisInput, heads: readonly BlockingHead[]): CauseDraft {
  const behind = heads.reduce((sum, head) => sum + head.waiting, 0);
  const more = (input.facts.blocked ?? []).length >= MOST_HEADS;
  const capped = more || heads.some((head) => head.waitingCapped);
  const common = commonestOf(heads);
  const aggregates = `${more ? "at least " : ""}${formatPlural(heads.length, "aggregate")}`;
  const share = !more && common.times === heads.length ? "" : `, ${formatCount(common.times)} of them`;
  return {
    key: "many",
    word: "in_part",
    severity: byAge(input),
    title: "Blocked aggregates",
    subject: aggregates,
    what: `${aggregates} are blocked${share} by ${typeName(common.eventType)} (${common.error})`,
    clauses: [`${waits(behind, capped)} behind them`],
    diagnosis: "Each has a failed head. The messages behind it wait so that their order is kept.",
    nextStep:
      "Read the most common error first: many failures at once usually share one cause at the receiver. The relay keeps retrying them.",
    next: { label: "See what is blocked", path: pagePath("blocked", input.settings.outbox) },
    messages: behind + heads.length,
    messagesCapped: capped,
    aggregates: more ? null : heads.length,
    since: heads.map((head) => head.firstFailedAt ?? input.asOf).sort()[0] ?? null,
    evidence: heads.slice(0, MOST_SHOWN).map((head) => ({
      label: shortName(head.aggregate),
      value: `${head.waitingCapped ? "at least " : ""}${formatCount(head.waiting)} waiting; ${errorOf(head)}`,
    })),
  };
}
