import type {
  RemovedRows,
  RemoveRequest,
  RetentionEnd,
  RetentionPreview,
  RetentionRun,
  StorePressure,
} from "./retention.ts";

/** The time that gives a row of an inbox its age. `received`: no column has the time of processing. */
export type InboxAge = "processed" | "received";

export interface InboxRetentionPreview extends Omit<RetentionPreview, "ageOf"> {
  ageOf: InboxAge;
  /** Only rows that are marked as processed go; false where the table has no such mark. */
  onlyProcessed: boolean;
}

/**
 * Removes rows of one inbox that are older than so many seconds: processed ones only, and, where the table has no such
 * mark, those that did not fail. The caller decides how long they have to stay. Throws StoreError.
 */
export interface InboxRetention {
  /** Sentence: why no row of this table may be removed, and what to answer; null if they may. */
  refuses(): Promise<string | null>;
  /** Changes nothing. Throws wrong_state with the sentence of `refuses`. */
  preview(keepSeconds: number): Promise<InboxRetentionPreview>;
  /**
   * One batch, in its own transaction, which also counts it in the run. A row that another session has locked stays for
   * the next time. Throws wrong_state, query_timeout, locked.
   */
  removeSome(keepSeconds: number, request: RemoveRequest): Promise<RemovedRows>;
  pressure(): Promise<StorePressure>;
  /** Records the start of a run. The first run under a changed rule writes an audit row. */
  begin(rule: string): Promise<string>;
  end(run: string, end: RetentionEnd, detail: string | null): Promise<void>;
  /** Newest first. */
  runs(limit: number): Promise<RetentionRun[]>;
}
