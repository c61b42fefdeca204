import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { wordsOf } from "../words/name-words.ts";
import { readColumns } from "./looked-columns.ts";
import { isMeasured } from "./measured-name.ts";
import { plainName } from "./plain-name.ts";
import type { StatusColumn } from "./status-columns.ts";

/** More of one table are not looked at. */
const MOST = 3;

/** Numbers of unknown names that begin with 0 or null, and may be flags: `shadow int DEFAULT 0`. Only their values tell. */
export function bitColumns(tables: readonly CatalogTable[]): StatusColumn[] {
  return tables.flatMap((table) => {
    const candidates = table.columns.filter((column) => mayBeBit(table, column));
    const read = candidates.length > 0 ? readColumns(table) : null;
    if (!read) return [];
    const taken = new Set(Object.values(read.roles).map(({ name }) => name));
    const free = candidates.filter(({ name }) => !taken.has(name));
    return free.slice(0, MOST).map(({ name }) => ({ table, column: name }));
  });
}

function mayBeBit(table: CatalogTable, { name, family, nullable, hasDefault, defaultSql, generated }: CatalogColumn) {
  if ((family !== "smallint" && family !== "integer") || generated || table.words[name] !== undefined) return false;
  if (hasDefault ? !/^\(?'?0'?\)?(?:::|$)/.test(defaultSql ?? "") : !nullable) return false;
  const words = wordsOf(plainName(table, name));
  return !table.primaryKey.includes(name) && !isMeasured(words) && words.some(({ concepts }) => concepts.length === 0);
}
