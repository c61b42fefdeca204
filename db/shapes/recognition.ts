import type { OutboxMapping } from "../stores/port/mapping.ts";

/** How a table is read as an outbox. */
export interface Recognition {
  mapping: OutboxMapping;
  title: string;
  confidence: "exact" | "likely" | "configured";
  /** A question that a person should answer; null once the configuration answers it. */
  question: string | null;
  /** Sentence: what the lifecycle lacks; the mapping's lifecycle is then `unknown`. */
  missing: string | null;
  warnings: string[];
  /** 0 to 100: how much the table looks like an outbox. */
  score: number;
  /** Sentences: what speaks for an outbox and what against it. */
  evidence: string[];
}
