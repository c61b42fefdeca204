import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { requireAge } from "#db/stores/shared/retention/age-column.ts";
import type { RangePartition } from "../storage/read-partitions.ts";
import { quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";

/**
 * Rows of which the latest time is found without an index in a fraction of the 500 ms for which the table may be
 * locked.
 */
const MOST_READ = 500_000;
/** Least bytes of a row, for a partition without a row count. */
const ROW_BYTES = 60;

/** The whole table's btree indexes that begin with the column. */
const INDEX_SQL = `
SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
WHERE i.indrelid = $1::regclass AND a.attname = $2 AND m.amname = 'btree' AND i.indisvalid AND i.indpred IS NULL LIMIT 1`;

/**
 * Clause: why the partition could not be checked again in time while the table is locked, and what to create; null if
 * it can. `rangeColumn`: the column of the ranges, which itself says how old the rows are.
 */
export async function whyUnindexed(
  client: PoolClient,
  ref: OutboxRef,
  partition: Pick<RangePartition, "schema" | "name" | "rows" | "bytes">,
  rangeColumn: string,
): Promise<string | null> {
  const { column } = requireAge(ref);
  const rows = partition.rows ?? partition.bytes / ROW_BYTES;
  if (column.name === rangeColumn || rows <= MOST_READ) return null;
  const table = quoteTable(partition);
  const found = await client.query(INDEX_SQL, [table, column.name]);
  if (found.rows.length > 0) return null;
  return `it is too large to be checked while the table is locked. Create as the table's owner: CREATE INDEX CONCURRENTLY ON ${table} (${quoteIdentifier(column.name)})`;
}
