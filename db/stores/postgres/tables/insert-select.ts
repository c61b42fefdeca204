import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/**
 * `INSERT INTO table (…) SELECT … FROM …` of the given columns. `from`: the FROM clause with its condition. Drizzle's
 * own INSERT … SELECT needs every column of the table, in order.
 */
export function insertSelect<Table extends PgTable>(
  table: Table,
  values: { readonly [Name in keyof Table["_"]["columns"]]?: SQL },
  from: SQL,
): SQL {
  const columns = getTableColumns(table);
  const given = Object.entries(values).flatMap(([key, value]) => {
    const column = columns[key];
    return column && value ? [{ name: sql.identifier(column.name), value }] : [];
  });
  const names = sql.join(
    given.map(({ name }) => name),
    sql`, `,
  );
  const selected = sql.join(
    given.map(({ value }) => value),
    sql`, `,
  );
  return sql`INSERT INTO ${table} (${names}) SELECT ${selected} ${from}`;
}

/** Maps these columns of a table to their values in a subquery of this name. */
export function carriedFrom<Key extends string>(
  table: PgTable,
  keys: readonly Key[],
  subquery: string,
): Record<Key, SQL> {
  const columns = getTableColumns(table);
  const entries = keys.map((key) => [
    key,
    sql`${sql.identifier(subquery)}.${sql.identifier(columns[key]?.name ?? key)}`,
  ]);
  return Object.fromEntries(entries) as Record<Key, SQL>;
}
