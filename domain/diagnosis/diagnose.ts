import type { Cause, DiagnosisInput, Rule } from "./cause.ts";
import { overdueDraft } from "./causes/overdue.ts";
import { explainAway, type RuledDraft } from "./explain-away.ts";
import type { FactName } from "./facts/store-facts.ts";
import { formatSince } from "./phrases.ts";
import { RULES } from "./rules.ts";
import { type CauseCode, type CauseWord, VERDICT_WORDS } from "./words.ts";

export interface Diagnosis {
  /** Worst first. Empty when nothing is wrong. */
  causes: Cause[];
  /** Rules with missing or incomplete facts: if one of them found nothing, something may still be wrong. */
  unread: CauseCode[];
}

/** Start of a cause whose facts do not give one, RFC 3339. */
export type SinceOf = (rule: CauseCode, key: string) => string;

/**
 * Finds what is wrong with an outbox, worst first. The only place that judges: banner, lists, Stuck, health and alerts
 * only print its result. Pure: the same input gives the same causes.
 */
export function diagnose(input: DiagnosisInput, sinceOf: SinceOf = () => input.asOf): Diagnosis {
  const has = (fact: FactName) => input.facts[fact] !== undefined;
  const readable = RULES.filter(({ needs }) => needs.every(has));
  const drafts = readable.flatMap(({ rule, evaluate }) => evaluate(input).map((draft) => ({ ...draft, rule })));
  const causes = uniqueOf(withLateness(explainAway(drafts), input)).map((draft) => toCause(draft, input.asOf, sinceOf));
  const isChecked = (rule: Rule) => readable.includes(rule) && rule.isComplete?.(input) !== false;
  const unread = RULES.filter((rule) => !isChecked(rule)).map(({ rule }) => rule);
  return { causes: causes.toSorted(compareCauses), unread };
}

/** Keeps the first draft of each rule and key. */
function uniqueOf(drafts: RuledDraft[]): RuledDraft[] {
  const seen = new Set<string>();
  return drafts.filter(({ rule, key }) => {
    const name = JSON.stringify([rule, key]);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/**
 * If messages are over an age limit and no draft of that severity explains it, adds `overdue`. A paused outbox needs
 * none.
 */
function withLateness(drafts: RuledDraft[], input: DiagnosisInput): RuledDraft[] {
  const status = input.figures.judged.oldestPending;
  const explains = ({ rule, word, severity }: RuledDraft) =>
    (rule === "paused" && word === "paused") ||
    severity === "fail" ||
    (status === "warn" && (LATE_WORDS.includes(word) || rule === "no_relay_alive"));
  if (status === "pass" || drafts.some(explains)) return drafts;
  return [...drafts.filter(({ rule }) => rule !== "overdue"), { ...overdueDraft(input), rule: "overdue" }];
}

const LATE_WORDS: readonly CauseWord[] = ["not_delivering", "in_part", "late"];

function toCause(draft: RuledDraft, asOf: string, sinceOf: SinceOf): Cause {
  const since = earlier(draft.since ?? sinceOf(draft.rule, draft.key), asOf);
  return { ...draft, since, sentence: sentenceOf(draft, since, asOf) };
}

/** Limits a start to `asOf`, because a skewed clock may have written a later one. */
function earlier(at: string, asOf: string): string {
  return Date.parse(at) > Date.parse(asOf) ? asOf : at;
}

function sentenceOf({ what, saysSince, clauses: rest = [] }: RuledDraft, since: string, asOf: string): string {
  const clauses = [
    saysSince === false ? what : `${what} since ${formatSince(since, asOf)}`,
    ...rest.filter((clause) => clause !== null),
  ];
  return clauses.join("; ");
}

/**
 * Failures first, then a pause of the whole outbox, because nothing is published, then a lock on the whole table,
 * because what else is said of it was read before.
 */
function rankOf({ rule, key, word, severity }: Cause): number {
  if (severity === "fail") return 0;
  if (word === "paused") return 1;
  const isLock = (rule === "locked" && word === "not_delivering") || (rule === "not_known" && key === "locked");
  return isLock ? 2 : 3;
}

/** By rank, then by word, most messages held up, and earliest start. */
function compareCauses(one: Cause, other: Cause): number {
  return (
    rankOf(one) - rankOf(other) ||
    VERDICT_WORDS.indexOf(one.word) - VERDICT_WORDS.indexOf(other.word) ||
    (other.messages ?? 0) - (one.messages ?? 0) ||
    one.since.localeCompare(other.since) ||
    one.key.localeCompare(other.key)
  );
}
