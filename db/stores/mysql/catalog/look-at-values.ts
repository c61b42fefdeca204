import { epochColumns, withEpochUnit } from "#db/shapes/epoch-columns.ts";
import { type StatusColumn, statusColumns } from "#db/shapes/status-columns.ts";
import type { CatalogTable, ColumnValues } from "../../port/catalog.ts";
import { LOOK, withValues } from "../../shared/column-values.ts";
import type { Session } from "../connection/session.ts";
import { quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";

/**
 * Adds the values of status columns that no type and no CHECK lists, and the units of numbers that are times, of at most
 * 1,000 rows. Leaves out what cannot be
 * read in time, or is locked or forbidden.
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
    const values = await look(session, one, `LENGTH(${asText(one.column)})`).catch(() => null);
    const place = tables.indexOf(one.table);
    if (values) found[place] = withEpochUnit(found[place] ?? one.table, one.column, values.words.map(Number));
  }
  return found;
}

const asText = (column: string) => `CAST(${quoteIdentifier(column)} AS CHAR)`;

async function look(session: Session, { table }: StatusColumn, value: string): Promise<ColumnValues> {
  const isMysql = session.server.flavor === "mysql";
  const before = isMysql ? "" : `SET STATEMENT max_statement_time = ${LOOK.timeoutMs / 1000} FOR `;
  const hint = isMysql ? `/*+ MAX_EXECUTION_TIME(${LOOK.timeoutMs}) */ ` : "";
  const rows = await session.rows(
    `${before}SELECT ${hint}word FROM (SELECT ${value} AS word FROM ${quoteTable(table)} LIMIT ${LOOK.rows}) looked
     GROUP BY word ORDER BY COUNT(*) DESC LIMIT ${LOOK.words + 2}`,
  );
  const seen = rows.flatMap(([word]) => word ?? []);
  return { words: seen, nulls: seen.length < rows.length };
}
