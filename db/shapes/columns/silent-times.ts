import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { type Columns, markOf, type RowMark, unused } from "../lifecycle/row-marks.ts";
import { wordsOf } from "../words/name-words.ts";
import { isHarmless, maySayState } from "./unread-columns.ts";

/**
 * Nullable times with names of unknown meaning: a row in which one is set may no longer be waiting. Whoever confirms the
 * published mark knows. `read`: columns that say something else.
 */
export function unreadTimes(
  table: CatalogTable,
  columns: Columns,
  read: readonly MappedColumn[],
  zone: string,
): RowMark[] {
  const known = new Set([...read.map(({ name }) => name), ...table.primaryKey]);
  return unused(table, columns)
    .filter(({ name }) => !known.has(name))
    .filter((column) => ["instant", "datetime"].includes(column.family) && maySayState(column, false))
    .filter((column) => !isHarmless(table, column) && !isOfContent(column))
    .map((column) => ({
      ...markOf("withdrawn", column, zone),
      says: `${column.name} is set, until this is answered`,
    }));
}

/** A time of what the message is about, or one that is written again and again. */
const isOfContent = ({ name }: Pick<CatalogColumn, "name">) =>
  wordsOf(name).some(({ text, concepts }) => concepts.includes("last") || CONTENT.test(text));
const CONTENT = /^(deadline|sla|effective|event|business|source|original)$/;

/** A row that was tried and has no next time, although a new row has one. */
export function leftOver({ availableAt, attempts }: Columns): RowMark[] {
  if (!availableAt?.nullIsOver || !attempts) return [];
  const isNull = { column: availableAt, is: "null" as const };
  const holds = { all: [isNull, { column: attempts, atLeast: 1 }] };
  const says = `${availableAt.name} is null after a failed attempt`;
  return [{ kind: "withdrawn", column: availableAt, holds, cleared: "now", marked: "null", says }];
}
