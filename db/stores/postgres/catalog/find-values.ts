import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { LOOK } from "#db/shapes/columns/column-values.ts";
import { LABELLED } from "#db/shapes/columns/labelled-columns.ts";
import type { Look } from "#db/shapes/columns/look-at-values.ts";
import type { DoneColumn } from "#db/shapes/columns/unset-times.ts";
import type { CatalogTable, ColumnValues } from "../../port/catalog.ts";
import { queryOn } from "../connection/query-on.ts";
import { tableNamed } from "../tables/outbox-table.ts";

/** The value as text if nothing can have happened then; of a flag one that is not true. */
function unsetValue(column: string, of: DoneColumn["of"]): SQL {
  const time = sql.identifier(column);
  if (of === "flag") return sql`CASE WHEN ${time} IS NOT TRUE THEN coalesce(${time}::text, 'null') END`;
  if (of === "text") return sql`CASE WHEN ${time} !~ '^[1-8][0-9]{13}' THEN ${asText(column)} END`;
  if (of === "never")
    return sql`CASE WHEN ${time} < '1971-01-01' OR ${time} > now() + interval '20 years' THEN ${asText(column)} END`;
  const isNone =
    of === "number" ? sql`${time} <= 0` : sql`(${time} < '1971-01-01' OR ${time} > now() + interval '1 year')`;
  return sql`CASE WHEN ${isNone} THEN ${asText(column)} END`;
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

function seenAs({ column, what, list, from = 0 }: Look): SQL {
  if (list) return sql`${asText(list.code)} || ${LABELLED} || ${asText(list.label)}`.inlineParams();
  if (what === "fewer")
    return sql`CASE WHEN ${sql.identifier(column)} < ${sql.raw(String(from))} THEN ${asText(column)} END`;
  if (what === "words") return asText(column);
  if (what === "digits") return sql`length(abs(${sql.identifier(column)})::text)::text`;
  return unsetValue(column, what as DoneColumn["of"]);
}

/**
 * Values of at most 1,000 rows; for a mark also of the newest rows, for words also those in the statistics. Null if the
 * read is too slow, locked or forbidden. Expects a read transaction; rolls back to a savepoint in any case, which also
 * gives up the table's lock at once.
 */
export async function findValues(client: PoolClient, look: Look, timeoutMs: number): Promise<ColumnValues | null> {
  const { table, what } = look;
  const ofMark = !["words", "digits", "labels"].includes(what);
  await client.query(
    `SAVEPOINT look; SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL lock_timeout = ${timeoutMs / 5}`,
  );
  try {
    const known = what === "words" ? await wordsOfStatistics(client, look) : [];
    const { rows } = await queryOn(client).execute<{ word: string | null }>(
      sql`SELECT word FROM (${lookedAt(look.list?.table ?? table, seenAs(look), ofMark ? table.primaryKey : [])}) AS looked
          GROUP BY word ORDER BY count(*) DESC LIMIT ${sql.raw(String(LOOK.words + 2))}`,
    );
    const seen = rows.flatMap(({ word }) => word ?? []);
    return { words: [...new Set([...known, ...seen])], nulls: seen.length < rows.length };
  } catch {
    return null;
  } finally {
    await client.query("ROLLBACK TO SAVEPOINT look; RELEASE SAVEPOINT look");
  }
}

async function wordsOfStatistics(client: PoolClient, { table, column }: Look): Promise<readonly string[]> {
  const { rows } = await client.query<{ words: string[] | null }>(
    `SELECT most_common_vals::text::text[] AS words FROM pg_stats
     WHERE schemaname = $1 AND tablename = $2 AND attname = $3 ORDER BY inherited DESC LIMIT 1`,
    [table.schema, table.name, column],
  );
  return rows[0]?.words ?? [];
}
