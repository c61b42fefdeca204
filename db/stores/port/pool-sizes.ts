/** Most connections that one process opens: per store, per relay, and to the console's own database. */
export const POOL_SIZES = {
  /** Reads. With a replica configured, the console opens as many again to it. */
  reads: 4,
  /** Operators' actions. */
  writes: 3,
  /** A ping never waits behind a query. */
  pings: 1,
  /** Claims and settles of one outbox. */
  relay: 4,
  /** The log of one outbox, and the statements that maintain its slot. */
  stream: 2,
  /** The console's own database. */
  records: 4,
} as const;
