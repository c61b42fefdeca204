/** Which published rows of an outbox may go. */
export interface RetentionRule {
  /** Time that a row stays after it was published, by the store's clock. */
  keepSeconds: number;
  /** `archive`: the row moves into our archive, or into the team's archive table, and can be restored. */
  how: "delete" | "archive";
  /** The relay's reader of the log, where it has one: a row stays until the reader has passed it. */
  reader: string | null;
}

/** Number of rows that are old enough but stay; `reason` is a clause. */
export interface KeptRows {
  reason: string;
  rows: number;
}

export interface RetentionPreview {
  /** Rows that would go now; `capped`: at least so many. */
  rows: { value: number; precision: "exact" | "capped" };
  /** Approximate size of these rows. */
  bytes: number;
  oldestAt: string | null;
  newestAt: string | null;
  /** Rows from before this instant go. */
  boundAt: string;
  /** A row's age counts from its publishing, or from its creation if no column has the time of publishing. */
  ageOf: "published" | "created";
  kept: KeptRows[];
  /** The statement of one batch, for people. */
  statement: string;
}

export interface RemoveRequest {
  run: string;
  limit: number;
  /** Where the last batch ended; null for the oldest row. */
  after: string | null;
  timeoutMs: number;
}

export interface RemovedRows {
  rows: number;
  /** Approximate. */
  bytes: number;
  kept: KeptRows[];
  /** Where the next batch begins; null when no older row is left. */
  next: string | null;
}

/** Reasons against a batch now. */
export interface StorePressure {
  /** Time of one small statement, ms. */
  probeMs: number;
  /** Clause: the oldest transaction that blocks the clean-up of removed rows; null if none is older than a minute. */
  heldBack: string | null;
  /** The clock by which ages are counted, ms since 1970. */
  databaseTimeMs: number;
}

/** How a run ended; the second line is for partitions. */
export type RetentionEnd =
  | ("done" | "time" | "busy" | "timeout" | "locked" | "refused" | "stopped" | "failed")
  | ("created" | "dropped" | "pinned" | "contended" | "missing");

/** One turn of retention over one outbox. */
export interface RetentionRun {
  id: string;
  /** `published`, `archive`, `inbox <name>` or `partition <name>`. */
  subject: string;
  /** The policy in force, e.g. `published 14d, then delete`. */
  rule: string;
  startedAt: string;
  /** Null while it runs, and for one that was cut short. */
  endedAt: string | null;
  rows: number;
  bytes: number;
  end: RetentionEnd | null;
  /** Sentence: why it ended so; null if there is nothing to add. */
  detail: string | null;
}

/**
 * Removes published rows of one outbox that are older than its rule says. Never in a transaction of the relay. Throws
 * StoreError.
 */
export interface OutboxRetention {
  /** Sentence: why no row of this table may be removed, and what to answer; null if they may. */
  refuses(rule: RetentionRule): Promise<string | null>;
  /** Changes nothing. Throws wrong_state with the sentence of `refuses`. */
  preview(rule: RetentionRule): Promise<RetentionPreview>;
  /**
   * One batch, in its own transaction, which also counts it in the run: the oldest published rows that nothing needs.
   * A row that another session has locked stays for the next time. Throws wrong_state when the mapping no longer holds,
   * query_timeout, locked.
   */
  removeSome(rule: RetentionRule, request: RemoveRequest): Promise<RemovedRows>;
  /** One batch of our archive, oldest first; entries of the team's own archive table stay. */
  purgeArchived(keepSeconds: number, request: Omit<RemoveRequest, "after">): Promise<RemovedRows>;
  pressure(): Promise<StorePressure>;
  /** Records the start of a run. The first run under a changed rule writes an audit row. */
  begin(run: { subject: string; rule: string }): Promise<string>;
  end(run: string, end: RetentionEnd, detail: string | null): Promise<void>;
  /** Adds rows that were removed with a partition, not by a batch. */
  count(run: string, removed: { rows: number; bytes: number }): Promise<void>;
  /** Newest first. */
  runs(limit: number): Promise<RetentionRun[]>;
}

/** `pinned`: something in it is still needed; `contended`: a lock was not free in time; `missing`: it is gone. */
export type PartitionOutcome =
  | { outcome: "dropped"; partition: string; rows: number; bytes: number }
  | { outcome: "pinned" | "contended" | "missing"; partition: string; why: string }
  | { outcome: "created"; partition: string; statement: string };

/** Creates and drops the partitions of one table. Never detaches: a pending detach makes inserts fail. */
export interface OutboxPartitions {
  /** Sentence: why partitions of this table are left alone, and what to answer; null if they may be managed. */
  refuses(): Promise<string | null>;
  /** Creates the missing ones of this many partitions beyond the current one, each in its own transaction. */
  createAhead(ahead: number): Promise<PartitionOutcome[]>;
  /** Drops the oldest partitions, at most `most`, of which every row may go by the rule. */
  dropOld(rule: RetentionRule, most: number): Promise<PartitionOutcome[]>;
}
