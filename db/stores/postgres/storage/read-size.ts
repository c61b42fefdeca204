import type { PoolClient } from "pg";
import type { TableName } from "#db/stores/port/mapping.ts";
import type { IndexUse, TableSize } from "#db/stores/port/storage.ts";
import { instantText, quoteTable } from "../tables/mapping-sql.ts";

/** The table with its partitions. */
const TREE = "tree AS (SELECT $1::regclass::oid AS oid UNION SELECT relid FROM pg_partition_tree($1::regclass))";

const SIZE_SQL = `
WITH ${TREE}
SELECT coalesce(sum(pg_relation_size(c.oid)), 0)::float8 AS "tableBytes", coalesce(sum(pg_indexes_size(c.oid)), 0)::float8 AS "indexBytes",
  coalesce(sum(pg_total_relation_size(nullif(c.reltoastrelid, 0))), 0)::float8 AS "toastBytes", coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 AS "totalBytes",
  coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 AS rows, bool_or(c.reltuples >= 0 AND c.relkind = 'r') AS analysed,
  coalesce(sum(s.n_dead_tup), 0)::float8 AS "deadRows", ${instantText("max(s.last_vacuum)")} AS "lastVacuumAt", ${instantText("max(s.last_autovacuum)")} AS "lastAutovacuumAt"
FROM tree JOIN pg_class c ON c.oid = tree.oid LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
WHERE c.relkind IN ('r', 'm')`;

interface SizeRow extends Omit<TableSize, "rows"> {
  rows: number;
  analysed: boolean | null;
}

export async function readSize(client: PoolClient, table: TableName): Promise<TableSize> {
  const { rows } = await client.query<SizeRow>(SIZE_SQL, [quoteTable(table)]);
  const [row] = rows;
  if (!row) throw new Error("A sum has no row.");
  const { rows: estimated, analysed, ...size } = row;
  return { ...size, rows: { value: Math.round(estimated), precision: analysed ? "estimate" : "unknown" } };
}

/** Indexes of the table itself, or of a partitioned one with those of its partitions. */
const INDEXES_SQL = `
SELECT x.relname AS name, i.indisunique AS "isUnique", i.indisvalid AS "isValid",
  (SELECT coalesce(sum(pg_relation_size(leaf)), 0) FROM (SELECT x.oid AS leaf WHERE x.relkind = 'i' UNION SELECT relid FROM pg_partition_tree(x.oid) WHERE isleaf) leaves)::float8 AS bytes,
  (SELECT coalesce(sum(s.idx_scan), 0) FROM pg_stat_all_indexes s WHERE s.indexrelid = x.oid OR s.indexrelid IN (SELECT relid FROM pg_partition_tree(x.oid) WHERE isleaf))::float8 AS scans
FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid WHERE i.indrelid = $1::regclass ORDER BY bytes DESC, name LIMIT 50`;

export async function readIndexes(client: PoolClient, table: TableName): Promise<IndexUse[]> {
  const { rows } = await client.query<IndexUse>(INDEXES_SQL, [quoteTable(table)]);
  return rows;
}

/** When the statistics of this database began. */
export async function readCountedSince(client: PoolClient): Promise<string | null> {
  const { rows } = await client.query<{ at: string | null }>(
    `SELECT ${instantText("coalesce(stats_reset, pg_postmaster_start_time())")} AS at FROM pg_stat_database WHERE datname = current_database()`,
  );
  return rows[0]?.at ?? null;
}
