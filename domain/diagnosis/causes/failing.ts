import { formatCount, formatPlural } from "../../format.ts";
import type { DiagnosisInput, FailedMeaning, Rule } from "../cause.ts";
import { MOST_HEADS } from "../facts/messages.ts";
import { byAge, evidenceOf, failedAndThen, formatMessages, messagesPath, typeName, verb } from "../phrases.ts";
import { commonestOf, lastingHeads } from "./blocked-aggregate.ts";
import { lastFailure } from "./last-failure.ts";

const NEXT_STEPS: Record<FailedMeaning, string> = {
  retried: "Read the errors on Failures. Each message is retried until it succeeds or its attempts are used up.",
  final: "Read the errors on Failures and fix the cause. Then retry the messages: nobody else will.",
  unknown: "Read the errors on Failures. Find out whether the table's relay tries such rows again; if not, retry them.",
};

/**
 * True if only failed messages are late, where no failed head says so: messages without an aggregate have none, and
 * where another program publishes, the table itself records failures. Then nothing else waits, or no more than goes out
 * within the age limit.
 */
function areAllThatIsLate(input: DiagnosisInput): boolean {
  const { settings, figures, facts } = input;
  if (figures.waitingCapped || facts.blocked === undefined) return false;
  // Of ours, a message that waits for its retry is not among those that are due.
  if (settings.mode === "relay") return facts.waiting?.capped === false && facts.waiting.overdue <= figures.failed;
  const others = figures.waiting - figures.failed;
  return others <= 0 || (figures.outPerSecond ?? 0) * settings.warnSeconds > others;
}

export const failing: Rule = {
  rule: "failing",
  title: "Failing messages",
  definition: "More messages than the limit have failed, or a failed message has waited too long.",
  threshold: () =>
    "more failed messages than the outbox's limit; or waiting messages older than the age limit, at least one of which has failed",
  needs: [],
  isComplete: ({ facts }) => facts.blocked !== undefined,
  evaluate: (input) => {
    const { settings, figures } = input;
    const heads = lastingHeads(input).filter(({ waiting }) => waiting === null || waiting === 0);
    const tooMany = figures.judged.failed !== "pass";
    const tooOld =
      figures.judged.oldestPending !== "pass" &&
      (heads.length > 0 || (lastingHeads(input).length === 0 && areAllThatIsLate(input)));
    if (figures.failed === 0 || (!tooMany && !tooOld)) return [];
    const common = heads.length > 0 ? commonestOf(heads) : null;
    const lastTry = common === null ? lastFailure(input) : null;
    const then = failedAndThen(settings.failedMeans);
    const failed = formatMessages(figures.failed, figures.failedCapped);
    // The longest failed are no sample: what is common among them says nothing of the others.
    const all = (input.facts.blocked ?? []).length < MOST_HEADS;
    const share = all && common !== null && common.times * 2 > heads.length ? "mostly" : "among them";
    return [
      {
        key: "failing",
        word: "in_part",
        severity: figures.judged.failed === "fail" ? "fail" : byAge(input),
        title: "Failing messages",
        subject: common ? typeName(common.eventType) : failed,
        what: common
          ? `${failed} ${then}, ${share} ${typeName(common.eventType)} (${common.error}),`
          : `${failed} ${then},`,
        clauses: [lastTry === null ? null : `the last failed attempt: ${lastTry}`],
        diagnosis: common
          ? `This is the most common error: ${formatCount(common.times)} of the ${formatPlural(heads.length, "examined message")} ${verb(common.times, "has", "have")} it.`
          : "The page Failures groups them by error.",
        nextStep: NEXT_STEPS[settings.failedMeans],
        next: { label: "See what failed", path: messagesPath(settings.outbox, { state: "failed" }) },
        messages: figures.failed,
        messagesCapped: figures.failedCapped,
        aggregates: all ? heads.length || null : null,
        since: heads.map((head) => head.firstFailedAt ?? input.asOf).sort()[0] ?? null,
        evidence: evidenceOf({ Failed: failed, Type: common?.eventType, Error: common?.error }),
      },
    ];
  },
};
