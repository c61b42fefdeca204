import type { CatalogTable } from "../stores/port/catalog.ts";
import type { ColumnRole } from "../stores/port/mapping.ts";
import { assignRoles } from "./columns/assign-roles.ts";
import { judgeTable } from "./judge-table.ts";

/** A table that a foreign key ties to another, with the columns of the key. */
interface Tied {
  table: CatalogTable;
  columns: readonly string[];
}

/** Tables to which this one refers, and tables that refer to it. */
function tiedTo(table: CatalogTable, tables: readonly CatalogTable[]): Tied[] {
  const isNamed = (one: CatalogTable, { schema, name }: { schema: string; name: string }) =>
    one.schema === schema && one.name === name;
  const parents = (table.references ?? []).flatMap((key) =>
    tables.filter((one) => one !== table && isNamed(one, key)).map((one) => ({ table: one, columns: key.columns })),
  );
  const children = tables
    .filter((one) => one !== table)
    .flatMap((one) =>
      (one.references ?? []).filter((key) => isNamed(table, key)).map(({ columns }) => ({ table: one, columns })),
    );
  return [...parents, ...children];
}

/** True for a table that a foreign key ties to an outbox: of its states, its deliveries. */
export function helpsOutbox(table: CatalogTable, tables: readonly CatalogTable[]): boolean {
  return tiedTo(table, tables).some((tied) => judgeTable(tied.table).kind === "outbox");
}

/** Sentence: which table beside this one has the payload; empty if none is tied to it that could. */
export function payloadBeside(table: CatalogTable, tables: readonly CatalogTable[]): string {
  return besideWith(table, tables, ["payload"], "payload");
}

/** Sentence: which table beside this one says what was published; empty if none is tied to it that could. */
export function markBeside(table: CatalogTable, tables: readonly CatalogTable[]): string {
  return besideWith(table, tables, ["publishedAt", "status"], "mark of a published message");
}

function besideWith(
  table: CatalogTable,
  tables: readonly CatalogTable[],
  roles: readonly ColumnRole[],
  what: string,
): string {
  for (const tied of tiedTo(table, tables)) {
    const found = assignRoles(tied.table, {});
    const column = roles.map((role) => found[role]).find((one) => one !== undefined);
    if (!column) continue;
    const name = `${tied.table.schema}.${tied.table.name}`;
    return ` The ${what} may be ${column.name} of ${name}, which ${tied.columns.join(", ")} ties to it: the console reads one table.`;
  }
  return "";
}
