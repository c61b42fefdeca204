import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { outcomeColumns, successColumns } from "../lifecycle/outcomes.ts";
import { readColumns } from "./looked-columns.ts";

export interface StatusColumn {
  table: CatalogTable;
  column: string;
}

const CODES: readonly string[] = ["text", "compact", "smallint", "integer", "bigint", "decimal"];

/** Status columns of outboxes, candidates and inboxes whose values neither a type nor a CHECK lists. */
export function statusColumns(tables: readonly CatalogTable[]): StatusColumn[] {
  return tables.flatMap((table) =>
    wordColumns(table)
      .filter(({ name, family }) => CODES.includes(family) && table.words[name] === undefined)
      .map(({ name }) => ({ table, column: name })),
  );
}

/** The status, or without one the outcome of what the mark of an outbox or an inbox says. */
function wordColumns(table: CatalogTable): CatalogColumn[] {
  const read = readColumns(table);
  if (!read) return [];
  const { status } = read.roles;
  return status ? [status, ...successColumns(table, read.roles)] : outcomeColumns(table, read.roles);
}
