import type { Cause, DiagnosisInput, Rule } from "./cause.ts";
import { overdueDraft } from "./causes/overdue.ts";
import { explainAway, type RuledDraft } from "./explain-away.ts";
import type { FactName } from "./facts.ts";
import { formatSince } from "./phrases.ts";
import { RULES } from "./rules.ts";
import { type CauseCode, type CauseWord, VERDICT_WORDS } from "./words.ts";

export interface Diagnosis {
  /** Worst first. Empty when nothing is wrong. */
  causes: Cause[];
  /** Rules whose facts could not be read, or not all of them: nothing follows from their silence. */
  unread: CauseCode[];
}

/** Since when a cause stands whose beginning the facts do not tell. */
export type SinceOf = (rule: CauseCode, key: string) => string;

/**
 * What is wrong with an outbox, in the order in which a person should look. The one judgement of a situation: banner,
 * lists, Stuck, health and alerts print it and judge nothing themselves. Pure: the same input gives the same causes.
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

/** One cause for each rule and key: what names the same thing twice is one trouble. */
function uniqueOf(drafts: RuledDraft[]): RuledDraft[] {
  const seen = new Set<string>();
  return drafts.filter(({ rule, key }) => {
    const name = JSON.stringify([rule, key]);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** Messages over their age limit are never without a cause of that severity, except in an outbox paused on purpose. */
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

/** Nothing begins in the future, whatever clock wrote it. */
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

/** Failures first, then by how much is hit, then by how many messages are held up, then the oldest. */
function compareCauses(one: Cause, other: Cause): number {
  // A pause on purpose stands before what is only a warning beside it: nothing goes out.
  const rank = (cause: Cause) => (cause.severity === "fail" ? 0 : cause.word === "paused" ? 1 : 2);
  return (
    rank(one) - rank(other) ||
    VERDICT_WORDS.indexOf(one.word) - VERDICT_WORDS.indexOf(other.word) ||
    (other.messages ?? 0) - (one.messages ?? 0) ||
    one.since.localeCompare(other.since) ||
    one.key.localeCompare(other.key)
  );
}
