import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { quoteLiteral, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";

const XMAX = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
/** How far a lock's transaction id, which has 32 bits, lies before the snapshot's xmax. */
const BEFORE = `((${XMAX} - l.transactionid::text::bigint) & 4294967295)`;
/**
 * The id of a running transaction, from its lock on itself. It may lie above xmax, which follows the last that ended.
 */
const RUNNING = `CASE WHEN l.locktype <> 'transactionid' OR NOT l.granted OR l.mode <> 'ExclusiveLock' THEN NULL
      WHEN ${BEFORE} > 2147483647 THEN ${XMAX} + 4294967296 - ${BEFORE} ELSE ${XMAX} - ${BEFORE} END`;

/**
 * SQL text: the lowest transaction id that may still commit rows with an earlier position than rows already read. All
 * lower transactions have ended, or have no position in this table's order yet. `pg_snapshot_xmin` alone is held back
 * by any open transaction, even one unrelated to the table, and every read would walk over all rows published
 * meanwhile. A sequence assigns a position only after the writer has locked the table. A creation time is assigned
 * earlier, so pg_snapshot_xmin is used there; a sequence value fetched long before its insert is left to the late row
 * search. Costs a read of pg_locks.
 */
export function tableXminSql(mapping: OutboxMapping): string {
  const table = quoteLiteral(quoteTable(mapping.table));
  const relations = `SELECT ${table}::regclass::oid UNION ALL SELECT relid::oid FROM pg_partition_tree(${table}::regclass)`;
  return `(SELECT CASE WHEN pg_get_serial_sequence(${table}, ${quoteLiteral(orderColumn(mapping).name)}) IS NULL
    THEN pg_snapshot_xmin(pg_current_snapshot())::text
    ELSE coalesce(min(coalesce(t.first, 0)) FILTER (WHERE t.writes), greatest(${XMAX}, max(t.last) + 1))::text END
  FROM (SELECT min(${RUNNING}) AS first, max(${RUNNING}) AS last,
      bool_or(l.locktype = 'relation' AND l.granted AND l.mode = 'RowExclusiveLock' AND l.relation IN (${relations})
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())) AS writes
    FROM pg_locks l GROUP BY l.virtualtransaction) AS t)`;
}
