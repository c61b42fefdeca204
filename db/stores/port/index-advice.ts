/** Purpose of an index; judged by the statements that need it. */
export type IndexUse = "waiting" | "failed" | "dead" | "unknown" | "history" | "aggregate";

export interface IndexAdvice {
  purpose: string;
  sql: string;
}

export interface IndexJudgement extends IndexAdvice {
  use: IndexUse;
  /**
   * `ok`: an index serves the statements fully. `wider`: one serves them but also holds rows they do not need and must
   * skip. `missing`: none serves them.
   */
  verdict: "ok" | "wider" | "missing";
}

export interface JudgedTable {
  indexes: IndexJudgement[];
  /** How the relay's claim finds waiting rows; null without a relay of ours. */
  claim: { indexed: boolean; index: string | null } | null;
  /** The table is small enough that a full scan is as good. */
  small: boolean;
}
