import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { columnSql } from "#db/stores/postgres/tables/mapping-sql.ts";
import { orderSql, type StatementContext } from "../relay-context.ts";
import { type ClaimVariant, dueRows } from "./claimable.ts";

/**
 * FROM and WHERE of the due rows `o` whose payloads together stay within the bytes of $3, after the first. The sum up to
 * each row is its column `outbox_console_bytes`, of sizes as stored (compressed).
 */
export function fromMeasuredRows(context: StatementContext, variant: ClaimVariant): string {
  const { payload } = context.mapping.columns;
  const rows = withSizes(payload, orderSql(context.mapping).orderBy, dueRows(context, variant));
  return `FROM (${rows}) o WHERE (${fits(payload)})`;
}

function withSizes(payload: MappedColumn, orderBy: string, rows: string): string {
  const size = `pg_column_size(${columnSql(payload, "o")})`;
  return `SELECT o.*, sum(${size}) OVER (ORDER BY ${orderBy} ROWS UNBOUNDED PRECEDING) AS outbox_console_bytes FROM (${rows}) o`;
}

function fits(payload: MappedColumn): string {
  return `o.outbox_console_bytes IS NULL OR o.outbox_console_bytes - coalesce(pg_column_size(${columnSql(payload, "o")}), 0) < $3::bigint`;
}
