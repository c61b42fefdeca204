import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { RETIRED } from "#db/stores/shared/own-tables/retired-relays.ts";
import type { CounterReading, RelayCounters } from "../../port/outbox-figures.ts";
import { quoteTable } from "../tables/mapping-sql.ts";

/**
 * Reads the sequence of the order column, or without one of a serial id, and the insert statistics. The count of
 * inserted rows includes rolled back ones; the counts of live and deleted rows do not, but VACUUM and ANALYZE replace
 * the count of live rows by an estimate.
 */
const SEQUENCE_SQL = `
SELECT clock_timestamp() AS at,
  (SELECT pg_sequence_last_value(s.sequence::regclass) FROM (
     SELECT pg_get_serial_sequence($1, name) AS sequence FROM unnest($2::text[]) WITH ORDINALITY AS candidate (name, position)
     ORDER BY position) s
   WHERE s.sequence IS NOT NULL AND has_sequence_privilege(s.sequence, 'USAGE, SELECT') LIMIT 1)::float8 AS sequence,
  (SELECT sum(pg_stat_get_tuples_inserted(oid)) FROM (
     SELECT to_regclass($1)::oid AS oid UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass($1)::oid) tables)::float8 AS inserted,
  CASE WHEN current_setting('track_counts')::bool THEN pg_stat_get_live_tuples(plain.oid) + pg_stat_get_tuples_deleted(plain.oid) END::float8 AS committed,
  concat_ws(' ', plain.oid, pg_stat_get_vacuum_count(plain.oid), pg_stat_get_autovacuum_count(plain.oid),
    pg_stat_get_analyze_count(plain.oid), pg_stat_get_autoanalyze_count(plain.oid)) AS since
FROM (SELECT (SELECT oid FROM pg_class WHERE oid = to_regclass($1) AND relkind = 'r') AS oid) plain`;

interface SequenceRow {
  at: Date;
  sequence: number | null;
  inserted: number | null;
  committed: number | null;
  since: string;
}

export async function readCounters(client: PoolClient, ref: OutboxRef): Promise<CounterReading> {
  const { order, id } = ref.mapping.columns;
  const candidates = [...new Set([order, id].flatMap((column) => (column ? [column.name] : [])))];
  const { rows } = await client.query<SequenceRow>(SEQUENCE_SQL, [quoteTable(ref.mapping.table), candidates]);
  const row = rows[0];
  if (!row) throw new Error("The counters' query gave no row.");
  const bySequence = row.sequence !== null;
  return {
    atSeconds: row.at.getTime() / 1000,
    inserted: row.sequence ?? row.inserted,
    insertedBy: bySequence ? "sequence" : row.inserted === null ? null : "statistics",
    committed: row.committed === null ? null : { rows: row.committed, since: row.since },
    relays: ref.storeSide ? await readRelayCounters(client, ref.name) : null,
  };
}

async function readRelayCounters(client: PoolClient, outbox: string): Promise<RelayCounters[]> {
  const { rows } = await client.query<{ id: string; published: string; failures: string; latency: string[] }>(
    "SELECT id, published, failures, latency FROM outbox_console.relay_instance WHERE outbox = $1 AND id <> $2",
    [outbox, RETIRED],
  );
  return rows.map((row) => ({
    id: row.id,
    published: Number(row.published),
    failures: Number(row.failures),
    latency: row.latency.map(Number),
  }));
}
