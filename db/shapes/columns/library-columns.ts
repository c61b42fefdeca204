import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn, TimeEncoding } from "../../stores/port/mapping.ts";
import { columnNamed } from "../find-library.ts";
import { normalise } from "../vocabulary.ts";
import { timeEncodingOf } from "./time-encoding.ts";

/** The columns of a table by the names that its library has for them. */
export interface LibraryColumns {
  /** Null if this version of the table lacks it. */
  find(name: string | undefined): MappedColumn | null;
  /** One that the library's rules need. Throws if the table lacks it, which its recognition has ruled out. */
  need(name: string): MappedColumn;
}

/** `times`: encodings that the types alone do not tell. `timeZone`: of times without one. */
export function libraryColumns(
  table: CatalogTable,
  { times = {}, timeZone = "UTC" }: { times?: Readonly<Record<string, TimeEncoding>> | undefined; timeZone?: string },
): LibraryColumns {
  const known = new Map(Object.entries(times).map(([name, time]) => [normalise(name), time]));
  const find = (name: string | undefined): MappedColumn | null => {
    const column = name === undefined ? undefined : columnNamed(table, name);
    if (!column) return null;
    const time = known.get(normalise(column.name)) ?? timeEncodingOf(column, timeZone);
    const { name: exact, type, nullable } = column;
    return { name: exact, type, nullable, ...(time ? { time } : {}), from: "shape" };
  };
  const need = (name: string) => {
    const column = find(name);
    if (!column)
      throw new Error(`${table.schema}.${table.name} has no column ${name}, which its library's rules need.`);
    return column;
  };
  return { find, need };
}
