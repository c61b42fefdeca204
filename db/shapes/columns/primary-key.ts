import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";

/** The primary key, otherwise a unique key of non-null columns; empty if there is neither. */
export function primaryKeyOf(table: CatalogTable): MappedColumn[] {
  const byName = (name: string) => table.columns.find((column) => column.name === name);
  const notNull = table.uniqueKeys.find((key) => key.every((name) => byName(name)?.nullable === false));
  const key = table.primaryKey.length > 0 ? table.primaryKey : (notNull ?? []);
  return key.flatMap((name) => {
    const column = byName(name);
    return column ? [{ name: column.name, type: column.type, nullable: column.nullable, from: "shape" as const }] : [];
  });
}
