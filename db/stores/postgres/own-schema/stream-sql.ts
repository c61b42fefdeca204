/**
 * SQL for the StreamReading of a row of outbox_console.relay_instance; null for a relay that polls. GREATEST ignores
 * NULL: without the CASE a missing slot would show 0 bytes.
 */
export const STREAM_SQL = `(SELECT json_build_object('reader', 'slot', 'slot', stream ->> 'slot', 'walStatus', s.wal_status,
    'connected', (stream ->> 'connected')::boolean, 'since', stream ->> 'since', 'problem', stream ->> 'problem',
    'lagBytes', CASE WHEN s.slot_name IS NOT NULL THEN greatest(0, pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END,
      coalesce(s.confirmed_flush_lsn, s.restart_lsn)))::float8 END)
  FROM (SELECT) one LEFT JOIN pg_replication_slots s ON s.slot_name = stream ->> 'slot' WHERE stream IS NOT NULL)`;
