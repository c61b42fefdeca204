import type { MappedColumn } from "./mapping.ts";

/** False without a column, and for one that the database computes. */
export function isWritten(column: MappedColumn | undefined): column is MappedColumn {
  return column !== undefined && column.generated !== true;
}

/** A document or an array of errors would refuse the text of one. */
export function holdsText({ type }: Pick<MappedColumn, "type">): boolean {
  return /char|text/i.test(type) && !type.endsWith("]");
}
