/** Most connections that one process opens: per store, per relay, and to the console's own database. */
export const POOL_SIZES = {
  /** Reads. With a replica configured, a process opens as many again to it. */
  reads: 4,
  /** Operators' actions, bulk operations and retention. */
  writes: 3,
  /** A ping never waits behind a query. */
  pings: 1,
  /** A relay's work on the table of one outbox: lease, heartbeat, claims, look-ahead, quarantine, settles. */
  relay: 4,
  /** All relays of a store together: with more than five, they share these. A setting of the store replaces it. */
  relays: 20,
  /** The log of one outbox, and the statements that maintain its slot. */
  stream: 2,
  /** The session that listens for the hints of one outbox. */
  notify: 1,
  /** The console's own database. */
  records: 4,
} as const;
