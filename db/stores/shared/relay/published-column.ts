import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";

/** The column that holds when a row was published; null if none holds a time. */
export function publishedColumn(mapping: OutboxMapping): MappedColumn | null {
  const column = mapping.lifecycle.kind === "timestamp" ? mapping.lifecycle.column : mapping.columns.publishedAt;
  return column?.time ? column : null;
}
