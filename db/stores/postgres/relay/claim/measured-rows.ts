import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { columnSql } from "#db/stores/postgres/tables/mapping-sql.ts";
import { type Measured, orderSql, type StatementContext } from "../relay-context.ts";
import { type ClaimVariant, dueRows } from "./claimable.ts";

/** A compressed payload of fewer stored bytes than this is counted as it is stored: a full claim of them fits. */
const SMALL_BYTES = 2048;
/** Most uncompressed bytes for one stored byte. */
const MOST_BY_PGLZ = 91;
const MOST_BY_LZ4 = 255;

/**
 * FROM and WHERE of the due rows `o` whose payloads and headers together stay within the bytes of $3, after the first.
 * The sum up to each row is its column `outbox_console_bytes`. A compressed value counts by an upper bound, because
 * asking for its size would decompress those of a whole page. By stored size a claim could take a gigabyte: 5 MB of one character
 * are stored as 57 kB.
 */
export function fromMeasuredRows(context: StatementContext, variant: ClaimVariant, within = ""): string {
  return withinBytes(context, variant.measured, dueRows(context, variant, within));
}

/** The same of any rows `o` in their order. */
export function withinBytes({ mapping }: StatementContext, measured: Measured, rows: string): string {
  const { payload, headers } = mapping.columns;
  const own = sizeSql(payload, measured);
  const size = headers ? `(coalesce(${own}, 0) + coalesce(${sizeSql(headers, measured)}, 0))` : own;
  const sum = `sum(${size}) OVER (ORDER BY ${orderSql(mapping).orderBy} ROWS UNBOUNDED PRECEDING)`;
  return `FROM (SELECT o.*, ${sum} AS outbox_console_bytes FROM (${rows}) o) o
    WHERE (o.outbox_console_bytes IS NULL OR o.outbox_console_bytes - coalesce(${size}, 0) < $3::bigint)`;
}

/** SQL: the most that a value may have, where the server is not asked whether it is compressed. */
export function mostBytes(column: string): string {
  return `(pg_column_size(${column})::bigint * CASE WHEN pg_column_size(${column}) < ${SMALL_BYTES} THEN 1 ELSE ${MOST_BY_LZ4} END)`;
}

function sizeSql(value: MappedColumn, measured: Measured): string {
  const column = columnSql(value, "o");
  const stored = `pg_column_size(${column})::bigint`;
  if (measured !== "bounded") return stored;
  return `(${stored} * CASE WHEN pg_column_size(${column}) < ${SMALL_BYTES} THEN 1
    ELSE CASE pg_column_compression(${column}) WHEN 'pglz' THEN ${MOST_BY_PGLZ} WHEN 'lz4' THEN ${MOST_BY_LZ4} ELSE 1 END END)`;
}
