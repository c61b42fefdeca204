import type { CatalogTable } from "../../stores/port/catalog.ts";
import { epochColumns } from "../columns/epoch-columns.ts";
import { statusColumns } from "../columns/status-columns.ts";
import { doneColumns } from "../columns/unset-times.ts";

/**
 * Columns whose values decide what the rows of an outbox say, and which could not be looked at: a status beside another
 * mark, since one of both may be of something else; numbers that may be times of any unit, or durations; text for a
 * time. Of a status alone the usual words are read, and a time is one.
 */
export function undecidedColumns(table: CatalogTable, { hasMark }: { hasMark: boolean }): string[] {
  const unlooked = new Set(table.unlooked ?? []);
  if (unlooked.size === 0) return [];
  const statuses = hasMark ? statusColumns([table]) : [];
  const texts = doneColumns([table]).filter(({ of }) => of === "text");
  const columns = [...statuses, ...epochColumns([table]), ...texts].map(({ column }) => column);
  return [...new Set(columns)].filter((name) => unlooked.has(name));
}

/** Sentence: what is not known of a table for want of a look at these columns. */
export function undecidedText({ schema, name }: CatalogTable, columns: readonly string[]): string {
  return `The values of ${columns.join(", ")} of ${schema}.${name} could not be looked at, because of a timeout, a missing permission or a lock, so it is not known yet what its rows say. They are looked at again within a minute.`;
}
