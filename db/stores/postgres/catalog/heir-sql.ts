/**
 * A table that inherits from the one with this oid (an SQL expression). Chunks of a TimescaleDB hypertable are none:
 * they have their parent's columns, and its keys hold across them.
 */
export function heirSql(oid: string): string {
  return `SELECT i.inhrelid::regclass::text FROM pg_inherits i JOIN pg_class h ON h.oid = i.inhrelid JOIN pg_namespace s ON s.oid = h.relnamespace
    WHERE i.inhparent = ${oid} AND s.nspname <> '_timescaledb_internal' LIMIT 1`;
}
