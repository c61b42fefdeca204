import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { wordsOf } from "../words/name-words.ts";
import { readColumns } from "./looked-columns.ts";
import { isMeasured } from "./measured-name.ts";
import { plainName } from "./plain-name.ts";
import type { StatusColumn } from "./status-columns.ts";

/** A number that says where a row belongs or of which kind it is may well be 0 and 1. */
const OF_PLACE_OR_KIND =
  /^(partition|shard|bucket|slot|lane|stripe|segment|node|site|region|zone|tenant|mandant|level|tier|kind|type|source|origin|channel|class|category|group|year|month|day|weight|rank|step|phase|stage)$/;

/** More of one table are not looked at. */
const MOST = 4;

/** Numbers and short texts that may be flags: `shadow int DEFAULT 0`, `gesperrt varchar(5)`. Only their values tell. */
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

function mayBeBit(table: CatalogTable, { name, family, type, defaultSql, generated }: CatalogColumn) {
  const isShort = (family === "text" || family === "compact") && /\([1-5]\)$/.test(type);
  if ((family !== "smallint" && family !== "integer" && !isShort) || generated || table.words[name] !== undefined)
    return false;
  if (defaultSql !== null && !isShort && !/^(?:\(?'?[01]'?\)?(?:::|$)|null)/i.test(defaultSql)) return false;
  const words = wordsOf(plainName(table, name));
  const isNumber = isMeasured(words) || words.some(({ text }) => OF_PLACE_OR_KIND.test(text));
  return !table.primaryKey.includes(name) && (isShort || !isNumber);
}
