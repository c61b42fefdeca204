/** Messages of one aggregate, numbered on from its version. */
export interface Batch {
  aggregate: string;
  count: number;
  /** Due so many ms after they are written; null for messages that are due at once. */
  scheduledMs: number | null;
  /** Characters by which each payload is longer. */
  pad: number;
}

export interface Transaction {
  /** In key order, so that writers wait for each other and never deadlock. */
  batches: readonly Batch[];
  /** How long it is held open before its end, ms. */
  holdMs: number;
  rollBack: boolean;
}

/**
 * Writes messages as a service that serialises its aggregates does: each writer of an aggregate sees the previous
 * version, so an aggregate's order is that of its sequence, of its numbers `n`, and of its commits. The ledger is
 * written in the same transaction.
 */
export interface WriterSession {
  /**
   * False if it was rolled back. Throws when its outcome was lost with the connection; the session is then of no use.
   */
  write(transaction: Transaction): Promise<boolean>;
  close(): Promise<void>;
}
