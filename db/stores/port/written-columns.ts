import type { MappedColumn } from "./mapping.ts";
import type { NewValue } from "./table-rules.ts";

/** False without a column, and for one that the database computes. */
export function isWritten(column: MappedColumn | undefined): column is MappedColumn {
  return column !== undefined && column.generated !== true;
}

/** False for a document or an array of errors, which would refuse a plain text. */
export function holdsText({ type }: Pick<MappedColumn, "type">): boolean {
  return /char|text/i.test(type) && !type.endsWith("]");
}

/** What the end of a claim holds in a row that nobody has taken; null if nothing may be written there. */
export function freeValue(column: MappedColumn): NewValue | null {
  const { atFirst, nullable } = column;
  if (!isWritten(column)) return null;
  if (atFirst === undefined) return nullable ? "null" : null;
  return /^-?\d+$/.test(atFirst) ? { number: Number(atFirst) } : { word: atFirst };
}
