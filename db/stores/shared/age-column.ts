import type { MappedColumn, OutboxMapping } from "../port/mapping.ts";

export interface AgeColumn {
  column: MappedColumn;
  of: "published" | "created";
}

/** The time by which a published row is old; null where the table has none. */
export function ageColumn({ lifecycle, columns }: OutboxMapping): AgeColumn | null {
  if (lifecycle.kind === "timestamp" && lifecycle.column.time) return { column: lifecycle.column, of: "published" };
  if (columns.publishedAt?.time && lifecycle.kind !== "flag") return { column: columns.publishedAt, of: "published" };
  return columns.createdAt?.time ? { column: columns.createdAt, of: "created" } : null;
}
