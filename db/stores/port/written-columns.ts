import type { MappedColumn } from "./mapping.ts";

/** False without a column, and for one that the database computes. */
export function isWritten(column: MappedColumn | undefined): column is MappedColumn {
  return column !== undefined && column.generated !== true;
}

/** False for a document or an array of errors, which would refuse a plain text. */
export function holdsText({ type }: Pick<MappedColumn, "type">): boolean {
  return /char|text/i.test(type) && !type.endsWith("]");
}
