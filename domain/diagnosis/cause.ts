import type { Mode } from "../operator.ts";
import type { FactName, Figures, StoreFacts } from "./facts.ts";
import type { CauseCode, CauseWord } from "./words.ts";

/** Limits by which an outbox is judged. */
export interface DiagnosisSettings {
  outbox: string;
  mode: Mode;
  /** Where the relay publishes; null without a relay. */
  sink: string | null;
  warnSeconds: number;
  failSeconds: number;
  dead: { warn: number; fail: number };
  relaySilentSeconds: number;
  /** After a clean stop, the time in which another relay is expected. */
  restartSeconds: number;
  noProgressSeconds: number;
  claimGraceSeconds: number;
  lockHeldSeconds: number;
  oldTransactionSeconds: number;
  scheduledFarSeconds: number;
  clockSkewSeconds: number;
}

export interface DiagnosisInput {
  settings: DiagnosisSettings;
  figures: Figures;
  /** The facts that a rule needs are there; any other may be missing. */
  facts: Partial<StoreFacts>;
  /** The database's clock, RFC 3339. */
  asOf: string;
}

/** A cause before it is known since when it stands. */
export interface CauseDraft {
  /** Names the same trouble from one look to the next: no counts, no ages. */
  key: string;
  word: CauseWord;
  severity: "warn" | "fail";
  /** Replaces the title of `word` where that would not be true, e.g. "Restarting". */
  headline?: string;
  /** Of the finding: short, e.g. "Sink unavailable". */
  title: string;
  /** The thing concerned: a sink, an aggregate, a session. */
  subject: string;
  /** The sentence up to its since, e.g. "billing-report (pid 77) holds 3 waiting messages"; no full stop. */
  what: string;
  /** False where "since" would make no sense behind `what`. */
  saysSince?: false;
  /** What follows it, each a clause: "125 wait", "other types flow". */
  clauses?: (string | null)[];
  diagnosis: string;
  nextStep: string;
  /** Where to look or act; changes nothing itself. */
  next: { label: string; path: string };
  messages: number | null;
  aggregates: number | null;
  /** When it began, where the facts tell; else it began when it was first seen. */
  since: string | null;
  evidence: { label: string; value: string }[];
}

/** One way in which an outbox can be in trouble. Pure: the same facts give the same drafts. */
export interface Rule {
  rule: CauseCode;
  title: string;
  definition: string;
  /** The limit in words. */
  threshold: (settings: DiagnosisSettings) => string;
  needs: readonly FactName[];
  /**
   * False where something else that the rule asks was not read or not counted. What it finds stands then, and what it
   * does not find says nothing.
   */
  isComplete?: (input: DiagnosisInput) => boolean;
  evaluate: (input: DiagnosisInput) => CauseDraft[];
}

export interface Cause extends CauseDraft {
  rule: CauseCode;
  since: string;
  sentence: string;
}
