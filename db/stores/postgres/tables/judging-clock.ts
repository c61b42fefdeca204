/**
 * The time by which heartbeats and leases are judged. On a standby that has received changes and not yet applied them,
 * that of the last one applied: it may wait for `recovery_min_apply_delay` or for a query, and later heartbeats are
 * among them. Otherwise the server's clock, because a standby whose primary is gone applies nothing more. A server
 * without a receiver may know none of these functions, so they are not called there.
 */
export const JUDGING_CLOCK = `CASE WHEN NOT pg_is_in_recovery() THEN clock_timestamp()
  WHEN NOT EXISTS (SELECT FROM pg_stat_wal_receiver) THEN clock_timestamp()
  WHEN pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn() THEN coalesce(pg_last_xact_replay_timestamp(), clock_timestamp())
  ELSE clock_timestamp() END`;
