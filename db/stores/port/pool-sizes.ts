/** Most connections that one process opens: of each store, of each relay, and of the console's own database. */
export const POOL_SIZES = {
  /** Questions; as many again of the console to the replica, where one is configured. */
  reads: 4,
  /** People's actions. */
  writes: 3,
  /** A ping waits for no question. */
  pings: 1,
  /** Claims and settles of one outbox. */
  relay: 4,
  /** The log of one outbox, and the statements that look after it. */
  stream: 2,
  /** The console's own database. */
  records: 4,
} as const;
