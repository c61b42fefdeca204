import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { orderColumn, quoteLiteral, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";

const XMAX = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
/** Transaction numbers of locks have 32 bits: how far this one lies before the snapshot's. */
const BEFORE = `((${XMAX} - l.transactionid::text::bigint) & 4294967295)`;

/**
 * From where on transactions may still commit rows that were there when earlier ones were read, as SQL of one text: all
 * below have ended, or have no place in the order of this table yet. `pg_snapshot_xmin` alone is held back by a
 * transaction that has nothing to do with the table, for as long as it is open, and every read would walk over all that
 * was published meanwhile. A sequence gives a place to a writer only once it has locked the table; a time is given
 * earlier, and a value that a program fetched long before it inserts is for the sweep. Costs a look at all locks.
 */
export function tableXminSql(mapping: OutboxMapping): string {
  const table = quoteLiteral(quoteTable(mapping.table));
  const relations = `SELECT ${table}::regclass::oid UNION ALL SELECT relid::oid FROM pg_partition_tree(${table}::regclass)`;
  return `(SELECT CASE WHEN pg_get_serial_sequence(${table}, ${quoteLiteral(orderColumn(mapping).name)}) IS NULL
    THEN pg_snapshot_xmin(pg_current_snapshot())::text ELSE coalesce(min(writer.xid), ${XMAX})::text END
  FROM (SELECT coalesce(min(CASE WHEN l.locktype <> 'transactionid' OR NOT l.granted OR l.mode <> 'ExclusiveLock' THEN NULL
      WHEN ${BEFORE} > 2147483647 THEN ${XMAX} ELSE ${XMAX} - ${BEFORE} END), 0) AS xid
    FROM pg_locks l GROUP BY l.virtualtransaction
    HAVING bool_or(l.locktype = 'relation' AND l.granted AND l.mode = 'RowExclusiveLock' AND l.relation IN (${relations})
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))) AS writer)`;
}
