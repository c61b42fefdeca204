import { sql } from "drizzle-orm";
import type { TableName } from "#db/stores/port/mapping.ts";
import type { Session } from "../connection/session.ts";

/** An index that a statement can name in a hint. */
export interface TableIndex {
  name: string;
  unique: boolean;
  /** In index order. InnoDB adds the columns of the primary key that it lacks. */
  columns: readonly IndexColumn[];
}

interface IndexColumn {
  name: string;
  /** Only so many characters are indexed: such a column can be searched, and gives no order. */
  cut: boolean;
  descending: boolean;
}

/**
 * Searchable indexes of a table, the primary key first, each with the columns that InnoDB adds to it. Leaves out those
 * that FORCE INDEX refuses (invisible, ignored), and those that are no trees.
 */
export async function tableIndexes(session: Session, table: TableName): Promise<TableIndex[]> {
  const isUsed = session.server.flavor === "mysql" ? sql`is_visible = 'YES'` : usedOnMariaDb(session);
  const rows = await session.rows(
    sql`SELECT index_name, non_unique, column_name, sub_part, collation, ${isUsed} FROM information_schema.statistics
     WHERE table_schema = ${table.schema} AND table_name = ${table.name} AND index_type = 'BTREE'
       AND CAST(table_schema AS BINARY) = ${table.schema} AND CAST(table_name AS BINARY) = ${table.name}
     ORDER BY index_name = 'PRIMARY' DESC, index_name, seq_in_index`,
  );
  const found = new Map<string, { unique: boolean; used: boolean; columns: IndexColumn[] }>();
  for (const [name, notUnique, column, cut, collation, used] of rows) {
    const index = found.get(name ?? "") ?? { unique: notUnique === "0", used: used === "1", columns: [] };
    // An expression has no name: nothing that comes behind it can be searched or sorted by.
    index.columns.push({ name: column ?? "", cut: cut !== null && cut !== undefined, descending: collation === "D" });
    found.set(name ?? "", index);
  }
  const key = found.get("PRIMARY")?.columns ?? [];
  return [...found]
    .filter(([, { used }]) => used)
    .map(([name, { unique, columns }]) => ({ name, unique, columns: withKey(columns, key) }));
}

/** True if an index begins with these columns: none is better for them, even without its further columns. */
export function isThere(there: readonly TableIndex[], columns: readonly { name: string }[]): boolean {
  return there.some((index) => columns.every(({ name }, at) => index.columns[at]?.name === name));
}

/** MariaDB ignores indexes from 10.6 on. */
function usedOnMariaDb({ server }: Session) {
  return server.version >= 100600 ? sql`ignored = 'NO'` : sql`true`;
}

function withKey(columns: readonly IndexColumn[], key: readonly IndexColumn[]): IndexColumn[] {
  const own = new Set(columns.filter(({ cut }) => !cut).map(({ name }) => name));
  return [...columns, ...key.filter(({ name }) => !own.has(name))];
}
