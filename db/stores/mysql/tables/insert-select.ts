import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";

/**
 * `INSERT INTO table (…) SELECT … FROM …` of the given columns. `from`: the FROM clause with its condition. Drizzle's
 * own INSERT … SELECT needs every column of the table, in order.
 */
export function insertSelect<Table extends MySqlTable>(
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

/** These columns of a table, or of its alias, as values for `insertSelect`. */
export function columnsOf<Key extends string>(table: MySqlTable, keys: readonly Key[]): Record<Key, SQL> {
  const columns = getTableColumns(table);
  const entries = keys.map((key) => [key, sql`${columns[key]}`]);
  return Object.fromEntries(entries) as Record<Key, SQL>;
}
