import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import type { RowMark } from "../lifecycle/row-marks.ts";
import { readColumns } from "./looked-columns.ts";
import type { StatusColumn } from "./status-columns.ts";

/** Counts of attempts in which a program may say by a number below a new row's that it gave up: `-1`. */
export function countedColumns(tables: readonly CatalogTable[]): (StatusColumn & { from: number })[] {
  return tables.flatMap((table) => {
    const read = readColumns(table);
    const attempts = read?.as === "outbox" ? read.roles.attempts : undefined;
    return attempts ? [{ table, column: attempts.name, from: fewestOf(attempts) }] : [];
  });
}

/** The table with the note that rows have fewer attempts than a new one. */
export function withFewer(table: CatalogTable, column: string, values: readonly string[]): CatalogTable {
  if (values.length === 0) return table;
  return {
    ...table,
    columns: table.columns.map((one) => (one.name === column ? { ...one, hasFewer: true as const } : one)),
  };
}

/** A row with fewer attempts than a new one, where some have: whether it waits is not known. */
export function fewerMark(table: CatalogTable, attempts: MappedColumn | undefined): RowMark[] {
  const column = table.columns.find(({ name }) => name === attempts?.name);
  if (!attempts || column?.hasFewer !== true) return [];
  const from = fewestOf(column);
  return [
    {
      kind: "withdrawn",
      column: attempts,
      holds: { all: [{ column: attempts, is: "set" }, { not: { column: attempts, atLeast: from } }] },
      cleared: { number: Math.max(from, 0) },
      marked: { number: from - 1 },
      says: `${attempts.name} is below ${from}`,
    },
  ];
}

/** What a new row has, if that is negative. */
function fewestOf({ defaultSql }: Pick<CatalogColumn, "defaultSql">): number {
  const first = /^\(?'?(-\d+)'?\)?(?:::|$)/.exec(defaultSql ?? "")?.[1];
  return first === undefined ? 0 : Number(first);
}
