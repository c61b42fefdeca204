import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { AgeColumn } from "#db/stores/shared/retention/age-column.ts";
import type { Walk } from "#db/stores/shared/retention/walk.ts";
import { queryOn } from "../connection/query-on.ts";
import { keyText } from "../tables/column-values.ts";
import { quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";
import { outboxTable, regclass } from "../tables/outbox-table.ts";

/** Up to this many rows a sort costs less than an index. */
export const SMALL_ROWS = 50_000;

/** Null if no index leads from the oldest row to the newest in a table that is too large to sort. */
export async function chooseWalk(client: PoolClient, ref: OutboxRef, { column }: AgeColumn): Promise<Walk | null> {
  const { mapping } = ref;
  const leading = await leadingColumns(client, ref, column);
  const [key] = mapping.primaryKey;
  if (leading.has(column.name) || ref.estimatedRows < SMALL_ROWS) return walkBy(ref, [column], false);
  const { createdAt, order } = mapping.columns;
  const rising = [createdAt, order].find((one) => one !== undefined && leading.has(one.name));
  if (rising) return walkBy(ref, [rising], true);
  return key && /^(bigint|integer)$/.test(key.type) ? walkBy(ref, [], true) : null;
}

/**
 * The statement for an index by which old rows are found. The key is part of it: rows that one statement marked have
 * one time, and to find the first of millions such would sort them all.
 */
export function indexSql(
  {
    mapping,
    partitioned,
  }: { mapping: Pick<OutboxRef["mapping"], "table" | "primaryKey">; partitioned?: boolean | undefined },
  { column }: Pick<AgeColumn, "column">,
): string {
  const names = [...new Set([column, ...mapping.primaryKey].map((one) => quoteIdentifier(one.name)))];
  const where = column.nullable ? ` WHERE ${quoteIdentifier(column.name)} IS NOT NULL` : "";
  return `CREATE INDEX ${partitioned ? "" : "CONCURRENTLY "}ON ${quoteTable(mapping.table)} (${names.join(", ")})${where};`;
}

function walkBy({ mapping }: OutboxRef, first: readonly MappedColumn[], windowed: boolean): Walk {
  const outbox = outboxTable(mapping);
  const named = new Map([...first, ...mapping.primaryKey].map((column) => [column.name, column]));
  const keys = [...named.values()].map((column) => ({
    value: outbox.column(column),
    text: keyText(outbox, column) as SQL,
    type: column.type,
  }));
  return { keys, descending: false, windowed };
}

/** Columns that begin a valid index over every row, or over every row that has the age. */
export async function leadingColumns(
  client: PoolClient,
  { mapping }: { mapping: Pick<OutboxRef["mapping"], "table"> },
  age: MappedColumn,
): Promise<Set<string>> {
  const { rows } = await queryOn(client).execute<{ name: string }>(
    sql`SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
     WHERE i.indrelid = ${regclass(mapping.table)} AND i.indisvalid AND i.indisready
       AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = ${`(${quoteIdentifier(age.name)} IS NOT NULL)`}
         OR pg_get_expr(i.indpred, i.indrelid) = ${`(${age.name} IS NOT NULL)`})`,
  );
  return new Set(rows.map(({ name }) => name));
}
