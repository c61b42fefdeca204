import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { unaccented } from "../words/concepts.ts";
import { wordsOf } from "../words/name-words.ts";

type Columns = readonly Pick<CatalogColumn, "name">[];

/**
 * The name of a column without a word that the names of all columns begin with (`ob_id`, `ob_payload`), or those of
 * most if it means nothing (`col_id`, `col_dead`, `sent_at`).
 */
export function plainName({ columns }: Pick<CatalogTable, "columns">, name: string): string {
  const prefix = prefixes.get(columns) ?? prefixOf(columns);
  prefixes.set(columns, prefix);
  const [first, ...others] = wordsOf(name);
  if (prefix === "" || others.length === 0 || first?.text !== prefix) return name;
  const plain = unaccented(name);
  // A word of another script stands for its English one, and is not as long.
  if (!plain.toLowerCase().startsWith(prefix)) return name;
  return plain.slice(prefix.length).replace(/^[^A-Za-z0-9]+/, "");
}

const prefixes = new WeakMap<Columns, string>();

function prefixOf(columns: Columns): string {
  const names = columns.map(({ name }) => wordsOf(name));
  const first = names[0]?.[0]?.text ?? "";
  if (columns.length >= 4 && names.every((words) => words.length > 1 && words[0]?.text === first)) return first;
  const unknown = names.map((words) => (words.length > 1 && words[0]?.concepts.length === 0 ? words[0].text : ""));
  return unknown.find((text) => text !== "" && 2 * unknown.filter((one) => one === text).length > names.length) ?? "";
}
