import type { CatalogColumn } from "../../port/catalog.ts";

/** Words of columns of an enum type, which prints as `enum('A','it''s')`. */
export function wordsOfEnum(columns: readonly Pick<CatalogColumn, "name" | "type">[]): Record<string, string[]> {
  const enums = columns.filter(({ type }) => type.startsWith("enum("));
  return Object.fromEntries(enums.map(({ name, type }) => [name, textsIn(type)]));
}

/**
 * Words of checks of the form `` `status` in ('A','it\'s') ``, as MariaDB prints it. MySQL escapes the whole once more:
 * ``(`status` in (_utf8mb4\'A\',_utf8mb4\'B\'))``. A check with more than this list does not list the values of a
 * single column.
 */
export function wordsOfChecks(clauses: readonly string[]): Record<string, string[]> {
  const found = clauses.flatMap((clause) => {
    const [, column, list = ""] = /^\(?`([^`]+)` in \((.*?)\)\)?$/is.exec(clause) ?? [];
    const once = /^(_\w+)?\\'/.test(list) ? unescaped(list) : list;
    const texts = textsIn(once).map(unescaped);
    const words = texts.length > 0 ? texts : numbersIn(once);
    const isOneList = texts.length === 0 || /^(\s|,|_\w+)*$/.test(once.replace(TEXT, ""));
    return column && words.length > 0 && isOneList ? [[column, words] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Columns that a check makes JSON. */
export function columnsThatHoldJson(clauses: readonly string[]): ReadonlySet<string> {
  return new Set(clauses.flatMap((clause) => /^\(?json_valid\(`([^`]+)`\)\)?$/i.exec(clause)?.[1] ?? []));
}

const numbersIn = (list: string) =>
  /^-?\d+(\s*,\s*-?\d+)*$/.test(list.trim()) ? list.split(",").map((one) => one.trim()) : [];

const unescaped = (text: string) => text.replace(/\\(.)/gs, "$1");

const TEXT = /'((?:[^'\\]|''|\\.)*)'/gs;

function textsIn(sql: string): string[] {
  return [...sql.matchAll(TEXT)].map((match) => (match[1] ?? "").replaceAll("''", "'"));
}
