import type { CatalogTable } from "../stores/port/catalog.ts";
import type { TableName } from "../stores/port/mapping.ts";
import { normalise } from "./vocabulary.ts";

/** A table `<name>_archive` in the same schema that has every column of this one. */
export function archiveTableOf(table: CatalogTable, tables: readonly CatalogTable[]): TableName | null {
  const sibling = tables.find(
    (candidate) => candidate.schema === table.schema && normalise(candidate.name) === `${normalise(table.name)}archive`,
  );
  if (!sibling) return null;
  const names = new Set(sibling.columns.map((column) => column.name));
  return table.columns.every((column) => names.has(column.name))
    ? { schema: sibling.schema, name: sibling.name }
    : null;
}
