import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { epochColumns, withEpochUnit } from "#db/shapes/columns/epoch-columns.ts";
import { type StatusColumn, statusColumns } from "#db/shapes/columns/status-columns.ts";
import { type DoneColumn, doneColumns, withUnset } from "#db/shapes/columns/unset-times.ts";
import type { CatalogTable, ColumnValues } from "../../port/catalog.ts";
import { LOOK, withoutLook, withValues } from "../../shared/column-values.ts";
import { queryOn } from "../connection/query-on.ts";
import { tableNamed } from "../tables/outbox-table.ts";

/**
 * Adds the values of status columns that no type and no CHECK lists: those that the statistics know, and those of at
 * most 1,000 rows; the units of numbers that are times; and values of marks that mean "not yet". Expects a read transaction. Notes what cannot be read in time, or is locked or forbidden.
 */
export async function lookAtValues(client: PoolClient, tables: CatalogTable[]): Promise<CatalogTable[]> {
  const endMs = performance.now() + LOOK.totalMs;
  const found = [...tables];
  for (const one of statusColumns(tables)) {
    const values = performance.now() < endMs ? await look(client, one, asText(one.column)) : null;
    const place = tables.indexOf(one.table);
    const table = found[place] ?? one.table;
    const { words, nulls } = values ?? { words: [], nulls: false };
    found[place] = values ? withValues(table, one.column, { words, nulls }) : withoutLook(table, one.column);
  }
  for (const one of epochColumns(tables)) {
    const values =
      performance.now() >= endMs
        ? null
        : await look(client, one, sql`length(abs(${sql.identifier(one.column)})::text)::text`);
    const place = tables.indexOf(one.table);
    const table = found[place] ?? one.table;
    found[place] = values ? withEpochUnit(table, one.column, values.seen.map(Number)) : withoutLook(table, one.column);
  }
  for (const one of doneColumns(tables)) {
    const values = performance.now() < endMs ? await look(client, one, unsetValue(one), one.table.primaryKey) : null;
    const place = tables.indexOf(one.table);
    const table = found[place] ?? one.table;
    found[place] = values ? withUnset({ ...one, table }, values.seen) : withoutLook(table, one.column);
  }
  return found;
}

/** The value as text if nothing can have happened then; of a flag one that is not true. */
function unsetValue({ column, of }: DoneColumn): SQL {
  const time = sql.identifier(column);
  if (of === "flag") return sql`CASE WHEN ${time} IS NOT TRUE THEN coalesce(${time}::text, 'null') END`;
  if (of === "digits") return sql`CASE WHEN ${time} !~ '^[0-9]{14}' THEN ${asText(column)} END`;
  const isNone = of === "number" ? sql`${time} <= 0` : sql`(${time} < '1971-01-01' OR ${time} > '9000-01-01')`;
  return sql`CASE WHEN ${isNone} THEN ${asText(column)} END`;
}

interface Looked extends ColumnValues {
  /** Of the rows that were read. */
  seen: string[];
}

const asText = (column: string): SQL => sql`${sql.identifier(column)}::text`;

/** Rows from wherever the engine begins, and those with the greatest keys. */
function lookedAt(table: CatalogTable, value: SQL, newestBy: readonly string[]): SQL {
  const some = sql`SELECT ${value} AS word FROM ${tableNamed(table)}`;
  const limit = sql`LIMIT ${sql.raw(String(LOOK.rows))}`;
  if (newestBy.length === 0) return sql`${some} ${limit}`;
  const keys = newestBy.map((name) => sql`${sql.identifier(name)} DESC`);
  return sql`(${some} ${limit}) UNION ALL (${some} ORDER BY ${sql.join(keys, sql`, `)} ${limit})`;
}

/** Rolls back to a savepoint in any case, which also gives up the table's lock at once. */
async function look(
  client: PoolClient,
  { table, column }: StatusColumn,
  value: SQL,
  newestBy: readonly string[] = [],
): Promise<Looked | null> {
  await client.query(
    `SAVEPOINT look; SET LOCAL statement_timeout = ${LOOK.timeoutMs}; SET LOCAL lock_timeout = ${LOOK.timeoutMs / 5}`,
  );
  try {
    const statistics = await client.query<{ words: string[] | null }>(
      `SELECT most_common_vals::text::text[] AS words FROM pg_stats
       WHERE schemaname = $1 AND tablename = $2 AND attname = $3 ORDER BY inherited DESC LIMIT 1`,
      [table.schema, table.name, column],
    );
    const { rows } = await queryOn(client).execute<{ word: string | null }>(
      sql`SELECT word FROM (${lookedAt(table, value, newestBy)}) AS looked
          GROUP BY word ORDER BY count(*) DESC LIMIT ${sql.raw(String(LOOK.words + 2))}`,
    );
    const seen = rows.flatMap(({ word }) => word ?? []);
    const words = [...new Set([...(statistics.rows[0]?.words ?? []), ...seen])];
    return { words, seen, nulls: seen.length < rows.length };
  } catch {
    return null;
  } finally {
    await client.query("ROLLBACK TO SAVEPOINT look; RELEASE SAVEPOINT look");
  }
}
