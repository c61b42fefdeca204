import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { kindOf as endKindOf } from "../lifecycle/row-marks.ts";
import { readColumns } from "./looked-columns.ts";

import { isAlwaysSet, isSetAtFirst } from "./unset-default.ts";

export interface DoneColumn {
  table: CatalogTable;
  column: string;
  /** `number`: of seconds or parts of them. `digit`: a flag that could have other numbers than 0 and 1. `text`: for a time in digits; `never`: a due time. */
  of: "time" | "number" | "flag" | "digit" | "text" | "never";
}

const TIMES: readonly string[] = ["instant", "datetime"];
const NUMBERS: readonly string[] = ["bigint", "integer"];

/**
 * Times and flags by which an outbox or an inbox says that a message is done. A program without nulls writes the year 1, 1970,
 * infinity or a time that is years away for "not yet", and a row with such a value is not done. A flag without a
 * default may be null for "not yet" and false for "failed", and a flag of MySQL may have a 2.
 */
export function doneColumns(tables: readonly CatalogTable[]): DoneColumn[] {
  return tables.flatMap((table) => {
    const mark = markOf(table);
    const of = mark ? kindOf(mark) : null;
    const ends = endTimes(table).map(({ name }) => ({ table, column: name, of: "time" as const }));
    const due = dueTime(table).map(({ name }) => ({ table, column: name, of: "never" as const }));
    return [...(mark && of ? [{ table, column: mark.name, of }] : []), ...ends, ...due];
  });
}

/** By a time that is decades away a program says that a row is never tried again. */
function dueTime(table: CatalogTable): CatalogColumn[] {
  const read = readColumns(table);
  const due = read?.as === "outbox" ? read.roles.availableAt : undefined;
  return due && TIMES.includes(due.family) && !due.generated ? [due] : [];
}

/** Times beside the mark that are never null, and by whose names a row was withdrawn or given up: `deleted_at` of 9999. */
function endTimes(table: CatalogTable): CatalogColumn[] {
  const read = readColumns(table);
  if (!read) return [];
  const taken = new Set(Object.values(read.roles).map(({ name }) => name));
  return table.columns.filter((column) => {
    const isOpen = TIMES.includes(column.family) && isAlwaysSet(column) && !isSetAtFirst(column);
    return isOpen && !taken.has(column.name) && endKindOf(table, column) !== null;
  });
}

function kindOf({ family, type, nullable, hasDefault }: CatalogColumn): DoneColumn["of"] | null {
  if (family === "boolean" && nullable && !hasDefault) return "flag";
  if (family === "boolean") return type.startsWith("tinyint") ? "digit" : null;
  if (family === "compact") return "text";
  if (!nullable) return null;
  if (TIMES.includes(family)) return "time";
  return NUMBERS.includes(family) ? "number" : null;
}

function markOf(table: CatalogTable): CatalogColumn | undefined {
  const read = readColumns(table);
  if (!read) return undefined;
  if (read.as === "inbox") return read.roles.processedAt;
  return read.roles.status ? undefined : read.roles.publishedAt;
}

/**
 * The table with such values of the column: of a flag both null and false, otherwise one. Unchanged if its rows have
 * none.
 */
export function withUnset({ table, column, of }: DoneColumn, values: readonly string[]): CatalogTable {
  const [value] = values;
  const isOdd = values.some((one) => /\d/.test(one));
  if (value === undefined || (of === "flag" && values.length < 2 && !isOdd)) return table;
  const unsetAs = of === "flag" || of === "digit" ? values.toSorted().join(" and ") : value;
  const columns = table.columns.map((one) => (one.name === column ? { ...one, unsetAs } : one));
  return { ...table, columns };
}
