export interface LockHolder {
  /** Null for a prepared transaction, which has no session. */
  pid: number | null;
  /** Left out for a session. */
  preparedId?: string;
  user: string | null;
  applicationName: string | null;
  clientAddress: string | null;
  state: string | null;
  transactionAt: string;
  queryAt: string | null;
  /** At most 200 characters, without literals. */
  query: string | null;
  /** Strongest lock on the table, in the engine's own word. */
  mode: string;
  /** True if the lock blocks every writer of the table, by itself or through `queuedSessions`. */
  wholeTable: boolean;
  /** True if nobody can read the table either: a reading of it shows that the lock is gone. */
  keepsOutReaders: boolean;
  /**
   * Sessions that wait behind this one for a lock on the whole table, so that all others wait too: the next one first.
   */
  queuedSessions?: string[];
  /** What it holds, "the table stats", if that is not the table or its rows, and a trigger of the table needs it. */
  elsewhere?: string;
  /** Waiting rows that this transaction has locked or changed; null if they could not be checked. */
  rows: number | null;
  /** Sessions waiting for this one now. */
  blockedPids: number[];
  /** The store's statement that ends the session or the prepared transaction. */
  endStatement: string;
  /** The owner's own statement that gives up the lock, where the end of its transaction does not. */
  unlockStatement?: string;
  /** The store's statement that lists the names of prepared transactions, where it is not known which is this one's. */
  namesStatement?: string;
}

export interface OldTransaction {
  /** Null for a prepared transaction, which has no session. */
  pid: number | null;
  preparedId: string | null;
  /** The store's statement that ends it and rolls it back. */
  endStatement: string;
  /** As of a lock holder. */
  namesStatement?: string;
  user: string | null;
  applicationName: string | null;
  state: string | null;
  transactionAt: string;
  query: string | null;
  /** True if it has written: rows with later sequence numbers may become visible before its own. */
  holdsBackNewRows: boolean;
}
