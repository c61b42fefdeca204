import type { CatalogColumn, CatalogTable } from "../stores/port/catalog.ts";
import { inboxColumns } from "./inbox-columns.ts";
import { judgeTable } from "./judge-table.ts";
import { recogniseInbox } from "./recognise-inbox.ts";

export interface DoneColumn {
  table: CatalogTable;
  column: string;
  /** `number`: of seconds or parts of them. */
  of: "time" | "number" | "flag";
}

const TIMES: readonly string[] = ["instant", "datetime"];
const NUMBERS: readonly string[] = ["bigint", "integer"];

/**
 * Times and flags by which an outbox or an inbox says that a message is done. A program without nulls writes the year 1, 1970 or
 * infinity for "not yet" (Go's zero time), and a row with such a value is not done. A flag without a
 * default may be null for "not yet" and false for "failed".
 */
export function doneColumns(tables: readonly CatalogTable[]): DoneColumn[] {
  return tables.flatMap((table) => {
    const mark = markOf(table);
    const of = mark?.nullable ? kindOf(mark) : null;
    return mark && of ? [{ table, column: mark.name, of }] : [];
  });
}

function kindOf({ family, hasDefault }: CatalogColumn): DoneColumn["of"] | null {
  if (family === "boolean") return hasDefault ? null : "flag";
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
  if (value === undefined || (of === "flag" && values.length < 2)) return table;
  const unsetAs = of === "flag" ? values.toSorted().join(" and ") : value;
  const columns = table.columns.map((one) => (one.name === column ? { ...one, unsetAs } : one));
  return { ...table, columns };
}
