/** What a kind of store can do, whichever table it is asked about. */
export interface StoreCapabilities {
  /** Operators' actions and relays; false where a store can only be observed. */
  writes: boolean;
  /** How a relay can read what is committed, beside polling. */
  stream: "none" | "log" | "binlog" | "streams";
  /** A writer can wake a waiting relay. */
  notify: boolean;
  namesLockHolders: boolean;
  exactCounts: boolean;
  /** Lists go by any column, or by the key alone. */
  orderBy: "any" | "key";
}
