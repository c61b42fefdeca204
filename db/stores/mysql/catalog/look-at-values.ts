import { epochColumns, withEpochUnit } from "#db/shapes/epoch-columns.ts";
import { type StatusColumn, statusColumns } from "#db/shapes/status-columns.ts";
import { type DoneColumn, doneColumns, withUnset } from "#db/shapes/unset-times.ts";
import type { CatalogTable, ColumnValues } from "../../port/catalog.ts";
import { LOOK, withValues } from "../../shared/column-values.ts";
import type { Session } from "../connection/session.ts";
import { quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";

/**
 * Adds the values of status columns that no type and no CHECK lists, the units of numbers that are times, and values of
 * marks that mean "not yet", of at most 1,000 rows. Leaves out what cannot be read in time, or is locked or forbidden.
 */
export async function lookAtValues(session: Session, tables: CatalogTable[]): Promise<CatalogTable[]> {
  const endMs = performance.now() + LOOK.totalMs;
  const found = [...tables];
  for (const one of statusColumns(tables)) {
    if (performance.now() >= endMs) break;
    const values = await look(session, one, asText(one.column)).catch(() => null);
    const place = tables.indexOf(one.table);
    if (values) found[place] = withValues(found[place] ?? one.table, one.column, values);
  }
  for (const one of epochColumns(tables)) {
    if (performance.now() >= endMs) break;
    const values = await look(session, one, `LENGTH(CAST(ABS(${quoteIdentifier(one.column)}) AS CHAR))`).catch(
      () => null,
    );
    const place = tables.indexOf(one.table);
    if (values) found[place] = withEpochUnit(found[place] ?? one.table, one.column, values.words.map(Number));
  }
  for (const one of doneColumns(tables)) {
    if (performance.now() >= endMs) break;
    const values = await look(session, one, unsetValue(one), one.table.primaryKey).catch(() => null);
    const place = tables.indexOf(one.table);
    if (values) found[place] = withUnset({ ...one, table: found[place] ?? one.table }, values.words);
  }
  return found;
}

/** The value as text if nothing can have happened then; of a flag one that is not true, or no flag's. */
function unsetValue({ column, of }: DoneColumn): string {
  const time = quoteIdentifier(column);
  const odd = `WHEN ${time} NOT IN (0, 1) THEN ${asText(column)}`;
  if (of === "digit") return `CASE ${odd} END`;
  if (of === "flag") return `CASE WHEN ${time} IS NULL THEN 'null' WHEN ${time} = 0 THEN 'false' ${odd} END`;
  const isNone = of === "number" ? `${time} <= 0` : `(${time} < '1971-01-01' OR ${time} > '9000-01-01')`;
  return `CASE WHEN ${isNone} THEN ${asText(column)} END`;
}

const asText = (column: string) => `CAST(${quoteIdentifier(column)} AS CHAR)`;

async function look(
  session: Session,
  { table }: StatusColumn,
  value: string,
  newestBy: readonly string[] = [],
): Promise<ColumnValues> {
  const isMysql = session.server.flavor === "mysql";
  const before = isMysql ? "" : `SET STATEMENT max_statement_time = ${LOOK.timeoutMs / 1000} FOR `;
  const hint = isMysql ? `/*+ MAX_EXECUTION_TIME(${LOOK.timeoutMs}) */ ` : "";
  const rows = await session.rows(
    `${before}SELECT ${hint}word FROM (${lookedAt(table, value, newestBy)}) looked
     GROUP BY word ORDER BY COUNT(*) DESC LIMIT ${LOOK.words + 2}`,
  );
  const seen = rows.flatMap(([word]) => word ?? []);
  return { words: seen, nulls: seen.length < rows.length };
}

/** Rows from wherever the engine begins, and those with the greatest keys. */
function lookedAt(table: CatalogTable, value: string, newestBy: readonly string[]): string {
  const some = `SELECT ${value} AS word FROM ${quoteTable(table)}`;
  if (newestBy.length === 0) return `${some} LIMIT ${LOOK.rows}`;
  const keys = newestBy.map((name) => `${quoteIdentifier(name)} DESC`).join(", ");
  return `(${some} LIMIT ${LOOK.rows}) UNION ALL (${some} ORDER BY ${keys} LIMIT ${LOOK.rows})`;
}
