import type { BulkState, ItemOutcome } from "#domain/message/bulk-operation.ts";
import type { MessageState } from "#domain/message/message-state.ts";
import type { Actor } from "#domain/operator.ts";
import type { NewOperation } from "./operations.ts";

/** A bulk operation as it is kept. Instants are RFC 3339 in UTC. */
export interface BulkRow {
  id: string;
  outbox: string;
  at: string;
  action: string;
  actor: Actor;
  reason: string;
  requestHash: string;
  state: BulkState;
  /** The request; never changes. */
  plan: unknown;
  /** As its runner last saved it; null before the first time. */
  progress: unknown;
  /** Grows with every runner that takes it; a save or an item of an older one is refused. */
  fence: number;
  /** Null if no runner has a live lease on it. */
  runner: { name: string; heartbeatAt: string } | null;
  endedAt: string | null;
}

/** A message that was selected. Items are worked on in ascending `seq`. */
export interface NewItem {
  seq: number;
  messageId: string;
  version: string;
  eventType: string | null;
  aggregateId: string | null;
  stateBefore: MessageState;
  /** Set if the action is not possible on it. */
  refused: { code: string; message: string } | null;
}

export interface ItemRow extends Omit<NewItem, "refused"> {
  outcome: ItemOutcome | null;
  code: string | null;
  message: string | null;
  actedAt: string | null;
  settledAt: string | null;
}

export interface ItemResult {
  seq: number;
  outcome: ItemOutcome;
  code: string | null;
  message: string | null;
}

/** An operation of either kind; `result` is set for one on single messages, `bulk` for the other. */
export interface ListedOperation {
  id: string;
  at: string;
  result: unknown;
  bulk: BulkRow | null;
}

/** A runner's hold on one operation. */
export interface BulkLease {
  id: string;
  fence: number;
}

/**
 * Bulk operations of one store and their items. One runner at a time works on an operation: it has a lease, and its
 * fence is checked by everything that it writes. An item that has an outcome is never acted on again.
 */
export interface BulkRecords {
  /**
   * Records the start with its audit row. With a key that this actor has used, returns the earlier one. Throws
   * StoreError `commit_in_doubt`.
   */
  begin(
    operation: NewOperation & { plan: unknown; detail: string },
  ): Promise<{ bulk: BulkRow | null; isNew: boolean; requestHash: string; id: string }>;
  get(id: string): Promise<BulkRow | null>;
  /** Newest first, before `before`. `outboxes`: only of these; null: of all. */
  list(input: {
    outboxes: readonly string[] | null;
    before: { at: string; id: string } | null;
    limit: number;
  }): Promise<ListedOperation[]>;
  /** Bulk operations that have not ended, paused and halted ones among them, newest first. `outboxes` as in `list`. */
  unended(input: { outboxes: readonly string[] | null; limit: number }): Promise<BulkRow[]>;
  /**
   * Deletes at most `batch` items of operations that ended longer ago; the operations stay, with their counts. Returns
   * the number of deleted items. Null if the engine keeps items for ever.
   */
  deleteOldItems: ((keepDays: number, batch: number) => Promise<number>) | null;
  /** Takes the oldest operation without a runner that is selecting, running or cancelling; null if there is none. */
  take(runner: string, leaseMs: number): Promise<BulkRow | null>;
  /**
   * Keeps the lease, and saves the given fields. `to` changes the state from `from`; if an operator has changed it
   * meanwhile, the state stays. Returns the state afterwards; null if another runner has the operation.
   */
  save(
    lease: BulkLease,
    input: { leaseMs: number; progress?: unknown; change?: { from: BulkState; to: BulkState } },
  ): Promise<BulkState | null>;
  /** Gives the lease back, so that another runner can take the operation at once. */
  release(lease: BulkLease): Promise<void>;
  /** Changes the state with an audit row; false if it is in none of the states `from`. */
  command(input: {
    id: string;
    outbox: string;
    from: readonly BulkState[];
    to: BulkState;
    actor: Actor;
    action: string;
    reason: string;
  }): Promise<boolean>;
  /** Adds items and saves the progress in one transaction; false if another runner has the operation. */
  addItems(lease: BulkLease, items: readonly NewItem[], progress: unknown): Promise<boolean>;
  /** The next items without an outcome, after `afterSeq`. */
  next(id: string, afterSeq: number | null, limit: number): Promise<ItemRow[]>;
  /** Items that were released and are not settled, after `afterSeq`. */
  released(id: string, afterSeq: number | null, limit: number): Promise<ItemRow[]>;
  /**
   * Writes outcomes: published, failed again and unknown for items that are released; any other, `released` itself
   * among them, for items without an outcome. All other items stay as they are. False if another runner has the
   * operation. `again`: the outcomes can be determined again, so a crash of the database may lose them.
   */
  settle(lease: BulkLease, results: readonly ItemResult[], options?: { again?: boolean }): Promise<boolean>;
  /** Cancels at most `limit` items without an outcome; returns how many. */
  cancelLeft(lease: BulkLease, limit: number): Promise<number>;
  /** Items by outcome; `left` have none. */
  counts(id: string): Promise<Partial<Record<ItemOutcome | "left", number>>>;
  /** In ascending `seq`, after `afterSeq`. */
  items(input: {
    id: string;
    outcome: ItemOutcome | "left" | null;
    afterSeq: number | null;
    limit: number;
  }): Promise<ItemRow[]>;
}
