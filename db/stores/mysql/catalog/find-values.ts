import { LOOK } from "#db/shapes/columns/column-values.ts";
import { LABELLED } from "#db/shapes/columns/labelled-columns.ts";
import type { Look } from "#db/shapes/columns/look-at-values.ts";
import type { DoneColumn } from "#db/shapes/columns/unset-times.ts";
import type { CatalogTable, ColumnValues } from "../../port/catalog.ts";
import type { Session } from "../connection/session.ts";
import { quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";

/**
 * SQL: the value as text if it cannot mean "done", otherwise NULL. A flag's: null, false, and any number but 0 and 1.
 */
function unsetValue(column: string, of: DoneColumn["of"]): string {
  const time = quoteIdentifier(column);
  const odd = `WHEN ${time} NOT IN (0, 1) THEN ${asText(column)}`;
  if (of === "digit") return `CASE ${odd} END`;
  if (of === "flag") return `CASE WHEN ${time} IS NULL THEN 'null' WHEN ${time} = 0 THEN 'false' ${odd} END`;
  if (of === "text") return `CASE WHEN ${time} NOT REGEXP '^[1-8][0-9]{13}' THEN ${asText(column)} END`;
  if (of === "never")
    return `CASE WHEN ${time} < '1971-01-01' OR ${time} > UTC_TIMESTAMP() + INTERVAL 20 YEAR THEN ${asText(column)} END`;
  const isNone =
    of === "number" ? `${time} <= 0` : `(${time} < '1971-01-01' OR ${time} > UTC_TIMESTAMP() + INTERVAL 1 YEAR)`;
  return `CASE WHEN ${isNone} THEN ${asText(column)} END`;
}

const asText = (column: string) => `CAST(${quoteIdentifier(column)} AS CHAR)`;

function seenAs({ column, what, list, from = 0 }: Look): string {
  if (list) return `CONCAT(${asText(list.code)}, '${LABELLED}', ${asText(list.label)})`;
  if (what === "fewer") return `CASE WHEN ${quoteIdentifier(column)} < ${from} THEN ${asText(column)} END`;
  if (what === "words") return asText(column);
  if (what === "digits") return `LENGTH(CAST(ABS(${quoteIdentifier(column)}) AS CHAR))`;
  return unsetValue(column, what as DoneColumn["of"]);
}

/**
 * Values of at most 1,000 rows, of a mark also those of the newest. Null if they are not read in time, or are locked or
 * forbidden.
 */
export async function findValues(session: Session, look: Look, timeoutMs: number): Promise<ColumnValues | null> {
  const { table, what } = look;
  const ofMark = !["words", "digits", "labels"].includes(what);
  const isMysql = session.server.flavor === "mysql";
  const before = isMysql ? "" : `SET STATEMENT max_statement_time = ${timeoutMs / 1000} FOR `;
  const hint = isMysql ? `/*+ MAX_EXECUTION_TIME(${timeoutMs}) */ ` : "";
  try {
    const rows = await session.rows(
      `${before}SELECT ${hint}word FROM (${lookedAt(look.list?.table ?? table, seenAs(look), ofMark ? table.primaryKey : [])}) looked
       GROUP BY word ORDER BY COUNT(*) DESC LIMIT ${LOOK.words + 2}`,
    );
    const seen = rows.flatMap(([word]) => word ?? []);
    return { words: seen, nulls: seen.length < rows.length };
  } catch {
    return null;
  }
}

/** The first rows that the engine returns, and those with the greatest keys. */
function lookedAt(table: CatalogTable, value: string, newestBy: readonly string[]): string {
  const some = `SELECT ${value} AS word FROM ${quoteTable(table)}`;
  if (newestBy.length === 0) return `${some} LIMIT ${LOOK.rows}`;
  const keys = newestBy.map((name) => `${quoteIdentifier(name)} DESC`).join(", ");
  return `(${some} LIMIT ${LOOK.rows}) UNION ALL (${some} ORDER BY ${keys} LIMIT ${LOOK.rows})`;
}
