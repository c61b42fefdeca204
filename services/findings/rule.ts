import type { Finding } from "#contracts/findings.ts";
import type { FactName, StoreFacts } from "#db/watchdog/facts.ts";
import type { Mode } from "#domain/operator.ts";

export type FindingRule = Finding["rule"];

/** Limits that the rules judge by. */
export interface RuleSettings {
  outbox: string;
  mode: Mode;
  /** Where the relay publishes; null without a relay. */
  sink: string | null;
  overdueSeconds: number;
  relaySilentSeconds: number;
  noProgressSeconds: number;
  claimGraceSeconds: number;
  lockHeldSeconds: number;
  oldTransactionSeconds: number;
  scheduledFarSeconds: number;
  clockSkewSeconds: number;
}

export interface RuleInput {
  settings: RuleSettings;
  /** The facts that the rule needs are there; any other may be missing. */
  facts: Partial<StoreFacts>;
  /** The database's clock, RFC 3339. */
  asOf: string;
}

/** A finding before it is known since when it stands. */
export interface FindingDraft {
  /** Names the same trouble from one look to the next: no counts, no ages. */
  key: string;
  severity: "warn" | "fail";
  title: string;
  subject: string;
  diagnosis: string;
  nextStep: string;
  href: string | null;
  messages: number | null;
  aggregates: number | null;
  /** When it began, where the facts tell; else it began when it was first seen. */
  since: string | null;
  evidence: { label: string; value: string }[];
}

/** One way in which an outbox is stuck. Pure: the same facts give the same findings. */
export interface Rule {
  rule: FindingRule;
  title: string;
  definition: string;
  /** The limit in words. */
  threshold: (settings: RuleSettings) => string;
  needs: readonly FactName[];
  evaluate: (input: RuleInput) => FindingDraft[];
}
