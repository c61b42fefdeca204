import type { FactName } from "#db/watchdog/facts.ts";
import { gatherFacts } from "#db/watchdog/gather-facts.ts";
import { outboxRef } from "../outboxes/outbox-ref.ts";
import type { OutboxHandle } from "../runtime.ts";
import { explainAway, type RuledDraft } from "./explain-away.ts";
import type { FindingRule } from "./rule.ts";
import { ruleSettingsOf } from "./rule-settings.ts";
import { RULES } from "./rules.ts";

export interface Evaluation {
  findings: RuledDraft[];
  /** Rules that could not be judged this time: their findings neither open nor close. */
  unread: { rule: FindingRule; error: unknown }[];
  /** The store's clock. */
  asOf: string;
}

/** Looks at one outbox by every rule. Changes nothing. Throws when the store does not answer. */
export async function evaluateOutbox({ outbox }: { outbox: OutboxHandle }): Promise<Evaluation> {
  const settings = ruleSettingsOf(outbox);
  const { facts, unread, asOf } = await gatherFacts(outbox.store.reads, outboxRef(outbox), settings);
  const failed = new Map<FactName, unknown>(unread.map(({ fact, error }) => [fact, error]));
  const evaluation: Evaluation = { findings: [], unread: [], asOf };
  const drafts: RuledDraft[] = [];
  for (const { rule, needs, evaluate } of RULES) {
    const missing = needs.find((fact) => failed.has(fact));
    if (missing) evaluation.unread.push({ rule, error: failed.get(missing) });
    else drafts.push(...evaluate({ settings, facts, asOf }).map((draft) => ({ ...draft, rule })));
  }
  evaluation.findings = explainAway(drafts);
  return evaluation;
}
