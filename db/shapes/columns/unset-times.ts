import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { inboxColumns } from "../inbox/inbox-columns.ts";
import { recogniseInbox } from "../inbox/recognise-inbox.ts";
import { judgeTable } from "../judge-table.ts";

export interface DoneColumn {
  table: CatalogTable;
  column: string;
  /** `number`: of seconds or parts of them. `digit`: a flag that could have other numbers than 0 and 1. `digits`: text for a time. */
  of: "time" | "number" | "flag" | "digit" | "digits";
}

const TIMES: readonly string[] = ["instant", "datetime"];
const NUMBERS: readonly string[] = ["bigint", "integer"];

/**
 * Times and flags by which an outbox or an inbox says that a message is done. A program without nulls writes the year 1, 1970 or
 * infinity for "not yet" (Go's zero time), and a row with such a value is not done. A flag without a
 * default may be null for "not yet" and false for "failed", and a flag of MySQL may have a 2.
 */
export function doneColumns(tables: readonly CatalogTable[]): DoneColumn[] {
  return tables.flatMap((table) => {
    const mark = markOf(table);
    const of = mark ? kindOf(mark) : null;
    return mark && of ? [{ table, column: mark.name, of }] : [];
  });
}

function kindOf({ family, type, nullable, hasDefault }: CatalogColumn): DoneColumn["of"] | null {
  if (family === "boolean" && nullable && !hasDefault) return "flag";
  if (family === "boolean") return type.startsWith("tinyint") ? "digit" : null;
  if (family === "compact") return "digits";
  if (!nullable) return null;
  if (TIMES.includes(family)) return "time";
  return NUMBERS.includes(family) ? "number" : null;
}

function markOf(table: CatalogTable): CatalogColumn | undefined {
  if (recogniseInbox(table)) return inboxColumns(table).processedAt;
  const { kind, roles } = judgeTable(table);
  return (kind === "outbox" || kind === "candidate") && !roles.status ? roles.publishedAt : undefined;
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
