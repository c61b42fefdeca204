import { ClientError } from "../errors.ts";
import { cells } from "../sql/cells.ts";
import { sql } from "../sql/statement.ts";
import { lacksKey } from "../sql/table-errors.ts";
import type { Target } from "./insert-in-postgres.ts";
import type { OutboxLayout } from "./layout.ts";

const known = new WeakSet<OutboxLayout>();

/**
 * Refuses ids of the caller in a table of MySQL without a unique key over the id alone: no error would tell that the id
 * is there, and the event would be written twice. Postgres refuses it by itself. Asked once for each outbox. A view,
 * and a table of which the user sees no keys, pass.
 */
export async function requireUniqueId<Tx, Db>({ via, tx, layout }: Target<Tx, Db>): Promise<void> {
  const { id } = layout.columns;
  if (!id || known.has(layout)) return;
  const [table, database = null] = layout.table.split(".").reverse();
  const { rows } = await via.run(
    tx,
    sql`SELECT CASE WHEN EXISTS (
          SELECT 1 FROM information_schema.STATISTICS AS part
          WHERE part.TABLE_SCHEMA = found.TABLE_SCHEMA AND part.TABLE_NAME = found.TABLE_NAME AND part.NON_UNIQUE = 0
          GROUP BY part.INDEX_NAME HAVING COUNT(*) = 1 AND MAX(part.COLUMN_NAME) = ${id.name}
        ) THEN 1 ELSE 0 END AS has_key
        FROM information_schema.TABLES AS found
        WHERE found.TABLE_SCHEMA = COALESCE(${database}, DATABASE()) AND found.TABLE_NAME = ${table ?? ""}
          AND found.TABLE_TYPE = 'BASE TABLE'
        ORDER BY HEX(found.TABLE_NAME) = HEX(${table ?? ""}) DESC LIMIT 1`,
  );
  const [row] = rows;
  if (row && Number(cells(row)[0]) === 0)
    throw new ClientError("unusable_table", lacksKey({ table: layout.table, columns: { ...layout.columns } }));
  known.add(layout);
}
