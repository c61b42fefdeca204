import { AppError } from "#domain/errors.ts";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";

export interface AgeColumn {
  column: MappedColumn;
  of: "published" | "created";
}

/** The time that gives a published row its age; null if the table has none. */
export function ageColumn({ lifecycle, columns }: OutboxMapping): AgeColumn | null {
  if (lifecycle.kind === "timestamp" && lifecycle.column.time) return { column: lifecycle.column, of: "published" };
  if (columns.publishedAt?.time && lifecycle.kind !== "flag") return { column: columns.publishedAt, of: "published" };
  return columns.createdAt?.time ? { column: columns.createdAt, of: "created" } : null;
}

export function requireAge({ name, mapping }: OutboxRef): AgeColumn {
  const age = ageColumn(mapping);
  if (!age) throw new AppError("wrong_state", `No column of outbox ${name} says how old a row is.`);
  return age;
}
