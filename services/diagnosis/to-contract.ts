import type { Cause as ContractCause, Verdict as ContractVerdict } from "#contracts/watch/diagnosis.ts";
import type { Finding } from "#contracts/watch/findings.ts";
import type { Cause } from "#domain/diagnosis/cause.ts";
import type { Verdict } from "#domain/diagnosis/verdict.ts";
import { findingId } from "../findings/finding-id.ts";

/** If the first cause links to the Stuck page, the link selects its finding there. */
export function toVerdict(outbox: string, verdict: Verdict, causes: readonly Cause[]): ContractVerdict {
  const { next, ...rest } = verdict;
  const [first] = causes;
  return {
    ...rest,
    next: next && first ? { label: next.label, href: hrefOf(outbox, first) } : null,
    causes: causes.map((cause) => toCause(outbox, cause)),
  };
}

function toCause(outbox: string, cause: Cause): ContractCause {
  const { rule, key, word, severity, sentence, since } = cause;
  return { id: findingId(outbox, rule, key), rule, word, severity, sentence, since, ...countOf(cause) };
}

function countOf({ messages, messagesCapped = false, messagesEstimated = false }: Cause) {
  return { messages, messagesCapped, messagesEstimated };
}

export function toFinding(outbox: string, cause: Cause): Finding {
  const { rule, key, word, severity, title, subject, sentence, diagnosis, nextStep } = cause;
  const { aggregates, since, evidence } = cause;
  return {
    id: findingId(outbox, rule, key),
    outbox,
    rule,
    word,
    severity,
    title,
    subject,
    sentence,
    diagnosis,
    nextStep,
    // A card on the Stuck page does not link to itself.
    href: cause.next.path.startsWith("/stuck") ? null : cause.next.path,
    ...countOf(cause),
    aggregates,
    since,
    evidence,
  };
}

function hrefOf(outbox: string, { rule, key, next }: Cause): string {
  return next.path.startsWith("/stuck")
    ? `${next.path}&finding=${encodeURIComponent(findingId(outbox, rule, key))}`
    : next.path;
}
