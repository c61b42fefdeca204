import { epochColumns, withEpochUnit } from "#db/shapes/columns/epoch-columns.ts";
import { type StatusColumn, statusColumns } from "#db/shapes/columns/status-columns.ts";
import { type DoneColumn, doneColumns, withUnset } from "#db/shapes/columns/unset-times.ts";
import type { CatalogTable, ColumnValues } from "../../port/catalog.ts";
import { LOOK, withoutLook, withValues } from "../../shared/column-values.ts";
import type { Session } from "../connection/session.ts";
import { quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";

/**
 * Adds the values of status columns that no type and no CHECK lists, the units of numbers that are times, and values of
 * marks that mean "not yet", of at most 1,000 rows. Notes what cannot be read in time, or is locked or forbidden.
 */
export async function lookAtValues(session: Session, tables: CatalogTable[]): Promise<CatalogTable[]> {
  const endMs = performance.now() + LOOK.totalMs;
  const found = [...tables];
  for (const one of statusColumns(tables)) {
    const values = await lookBefore(endMs, session, one, asText(one.column));
    const place = tables.indexOf(one.table);
    const table = found[place] ?? one.table;
    found[place] = values ? withValues(table, one.column, values) : withoutLook(table, one.column);
  }
  for (const one of epochColumns(tables)) {
    const values = await lookBefore(endMs, session, one, `LENGTH(CAST(ABS(${quoteIdentifier(one.column)}) AS CHAR))`);
    const place = tables.indexOf(one.table);
    const table = found[place] ?? one.table;
    found[place] = values ? withEpochUnit(table, one.column, values.words.map(Number)) : withoutLook(table, one.column);
  }
  for (const one of doneColumns(tables)) {
    const values = await lookBefore(endMs, session, one, unsetValue(one), one.table.primaryKey);
    const place = tables.indexOf(one.table);
    const table = found[place] ?? one.table;
    found[place] = values ? withUnset({ ...one, table }, values.words) : withoutLook(table, one.column);
  }
  return found;
}

/** The value as text if nothing can have happened then; of a flag one that is not true, or no flag's. */
function unsetValue({ column, of }: DoneColumn): string {
  const time = quoteIdentifier(column);
  const odd = `WHEN ${time} NOT IN (0, 1) THEN ${asText(column)}`;
  if (of === "digit") return `CASE ${odd} END`;
  if (of === "flag") return `CASE WHEN ${time} IS NULL THEN 'null' WHEN ${time} = 0 THEN 'false' ${odd} END`;
  if (of === "digits") return `CASE WHEN ${time} NOT REGEXP '^[0-9]{14}' THEN ${asText(column)} END`;
  const isNone = of === "number" ? `${time} <= 0` : `(${time} < '1971-01-01' OR ${time} > '9000-01-01')`;
  return `CASE WHEN ${isNone} THEN ${asText(column)} END`;
}

const asText = (column: string) => `CAST(${quoteIdentifier(column)} AS CHAR)`;

/** Null once the time is over, and where a look fails. */
async function lookBefore(endMs: number, ...[session, ...one]: Parameters<typeof look>): Promise<ColumnValues | null> {
  return performance.now() < endMs ? await look(session, ...one).catch(() => null) : null;
}

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
