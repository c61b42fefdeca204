import { type SQL, sql } from "drizzle-orm";
import type { OutboxMapping, TableName } from "#db/stores/port/mapping.ts";
import type { Session } from "../connection/session.ts";

export interface Index {
  name: string;
  columns: readonly string[];
  unique: boolean;
}

/** Condition over the server's dictionary. Names that differ in case only are equal to the first two. */
export function ofTable({ schema, name }: TableName): SQL {
  return sql`table_schema = ${schema} AND table_name = ${name}
    AND CAST(table_schema AS BINARY) = ${schema} AND CAST(table_name AS BINARY) = ${name}`;
}

/** Indexes that may be named in a statement and give rows in ascending order of whole columns. */
export async function readIndexes(session: Session, table: TableName): Promise<Index[]> {
  const used = sql.raw(session.server.flavor === "mysql" ? "is_visible = 'YES'" : "ignored = 'NO'");
  const rows = await session.rows(
    sql`SELECT index_name, column_name, COALESCE(collation, '') = 'A' AND sub_part IS NULL AND index_type = 'BTREE', non_unique
     FROM information_schema.statistics WHERE ${ofTable(table)} AND ${used} ORDER BY index_name, seq_in_index`,
  );
  const found = new Map<string, Index & { columns: string[]; ended: boolean }>();
  for (const [name, column, whole, nonUnique] of rows) {
    if (name == null) continue;
    const index = found.get(name) ?? { name, columns: [], unique: nonUnique === "0", ended: false };
    found.set(name, index);
    // Columns after a prefix of a column, or after an expression, are in no usable order.
    if (whole !== "1" || column == null) index.ended = true;
    if (!index.ended && column != null) index.columns.push(column);
  }
  return withKeySuffix([...found.values()]);
}

/** Every secondary index of InnoDB goes on with the primary key. */
function withKeySuffix(indexes: readonly (Index & { ended: boolean })[]): Index[] {
  const primary = indexes.find(({ name }) => name === "PRIMARY")?.columns ?? [];
  return indexes.map(({ name, columns, unique, ended }) => ({
    name,
    unique: unique && !ended,
    columns: ended || name === "PRIMARY" ? columns : [...columns, ...primary.filter((one) => !columns.includes(one))],
  }));
}

/** The index of the key: statements that lock rows name it, so that they never walk over rows of producers. */
export function keyIndexOf({ primaryKey }: OutboxMapping, indexes: readonly Index[]): string | null {
  const key = primaryKey.map(({ name }) => name);
  const isKey = ({ name, columns, unique }: Index) =>
    (unique || name === "PRIMARY") && key.every((column) => columns.slice(0, key.length).includes(column));
  return (indexes.find((index) => index.name === "PRIMARY" && isKey(index)) ?? indexes.find(isKey))?.name ?? null;
}
