import type { CatalogTable, ColumnValues } from "../../stores/port/catalog.ts";

/** Bounds of a look at a column's values, which the reading of the catalog waits for. */
export const LOOK = {
  /** Rows read of a table, from wherever the engine begins. */
  rows: 1_000,
  /** More different values than this are no status. */
  words: 30,
  /** Time of one look, ms. */
  timeoutMs: 250,
  /** Time of one look, ms, at a column of which several found nothing. */
  mostTimeoutMs: 2000,
  /** Time after which no look begins, ms; columns left over are not looked at. */
  totalMs: 750,
} as const;

/** The table without a look at a column: there was no time for it, or it was locked or forbidden. */
export function withoutLook(table: CatalogTable, column: string): CatalogTable {
  return { ...table, unlooked: [...(table.unlooked ?? []), column] };
}

/** The table with values of a column; unchanged if there are too many different ones, or none. */
export function withValues(table: CatalogTable, column: string, values: ColumnValues): CatalogTable {
  if (values.words.length === 0 || values.words.length > LOOK.words) return table;
  return { ...table, values: { ...table.values, [column]: values } };
}
