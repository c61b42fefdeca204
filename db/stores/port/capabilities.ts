/** What a kind of store can do, for every table. */
export interface StoreCapabilities {
  /** Operators' actions; false where a store can only be observed. */
  writes: boolean;
  /** Our relay can publish its outboxes. */
  relays: boolean;
  /** How a relay can read commits, in addition to polling. */
  stream: "none" | "log" | "binlog" | "streams";
  /** A writer can wake a waiting relay. */
  notify: boolean;
  namesLockHolders: boolean;
  exactCounts: boolean;
  /** Columns that lists can be ordered by: any, or the key alone. */
  orderBy: "any" | "key";
  /** Clause: why a relay may read a later message of an aggregate before an earlier one; absent if it cannot. */
  readsLate?: string;
  /** Published messages can be read as a relay would publish them, to be sent once more. */
  republish: boolean;
  /**
   * True if messages can be searched by the trace in which they were written; otherwise a sentence that says why not.
   */
  findsTraces: true | { no: string };
  /** True if we remove old rows; otherwise a sentence about what removes them. */
  retention: true | { no: string };
}
