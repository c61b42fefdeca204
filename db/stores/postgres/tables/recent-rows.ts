import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { columnSql, encodeInstant, instantExpression, quoteLiteral, quoteTable } from "./mapping-sql.ts";

/** Pages read at the end of the table: new row versions land there, or in recently freed pages. */
const TAIL_PAGES = 2000;

type Ask = (sql: string) => Promise<(string | null)[][] | undefined>;

/**
 * FROM and WHERE of rows `o` published within the interval; null if they cannot be found cheaply. Uses the index on the
 * publication time if there is one, otherwise the tail of the table by row address: never more than some pages of a
 * large table.
 */
export async function recentRows(
  mapping: OutboxMapping,
  ask: Ask,
  { column, interval }: { column: MappedColumn; interval: string },
): Promise<string | null> {
  const table = quoteTable(mapping.table);
  const shape = await ask(
    `SELECT c.relkind::text, greatest(pg_relation_size(c.oid) / current_setting('block_size')::int - ${TAIL_PAGES}, 0)::text,
       EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
         WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL AND a.attname = ${quoteLiteral(column.name)})::text,
       current_setting('server_version_num')
     FROM pg_class c WHERE c.oid = ${quoteLiteral(table)}::regclass`,
  );
  const [kind, firstPage, indexed, version] = shape?.[0] ?? [];
  const since = encodeInstant(column, `(statement_timestamp() - ${interval})`);
  const recent = `${columnSql(column, "o")} > ${since} AND ${instantExpression(column, "o")} <= clock_timestamp() + interval '1 minute'`;
  const large = indexed !== "true" && firstPage !== "0";
  if (large && Number(version) < 140_000) return null;
  if (kind === "p" && indexed !== "true") return null;
  return `FROM ${table} o WHERE ${recent}${large ? ` AND o.ctid >= '(${firstPage},0)'` : ""}`;
}
