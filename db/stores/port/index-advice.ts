/** What an index is for; each is judged by the statements that need it. */
export type IndexUse = "waiting" | "failed" | "dead" | "history" | "aggregate";

export interface IndexAdvice {
  purpose: string;
  sql: string;
}

export interface IndexJudgement extends IndexAdvice {
  use: IndexUse;
  /**
   * `ok`: an index serves the statements whole. `wider`: one serves them and holds further rows, which are read in vain.
   * `missing`: none can.
   */
  verdict: "ok" | "wider" | "missing";
}

export interface JudgedTable {
  indexes: IndexJudgement[];
  /** How the relay's claim finds what waits; null where there is no relay of ours. */
  claim: { indexed: boolean; index: string | null } | null;
  /** The table is so small that a scan is as good. */
  small: boolean;
}
