import type { CatalogTable } from "../../stores/port/catalog.ts";
import { meaningAmong } from "../words/status-words.ts";

/** True if another table says what the codes of a column mean. */
export const refersToCodes = ({ references = [] }: CatalogTable, column: string): boolean =>
  references.some(({ columns }) => columns.length === 1 && columns[0] === column);

/**
 * What the codes of a column are called, by the table of codes that it refers to, or by what its team wrote about it
 * (`0 = draft, 1 = pending, 2 = sent`); null where neither says it.
 */
export function labelsOf(table: CatalogTable, column: string): Readonly<Record<string, string>> | null {
  if (refersToCodes(table, column)) return table.labels?.[column] ?? {};
  const { comment = "" } = table.columns.find(({ name }) => name === column) ?? {};
  const labels: Record<string, string> = Object.fromEntries(
    [...comment.slice(0, MOST_LETTERS).matchAll(CODE_AND_WORD)].map(([, code, word = ""]) => [code, word.trim()]),
  );
  const words = Object.values(labels);
  // Of a language that is not understood nothing is said.
  return words.length >= 2 && words.some((word) => meaningAmong(word, words) !== undefined) ? labels : null;
}

/** Of a longer comment the rest is not read. */
const MOST_LETTERS = 500;
const CODE_AND_WORD =
  /(?<![\w-])(-?\d{1,3}|[A-Z])\s*(?:[=:.)-]|->|=>|\s)\s*['"]?([A-Za-z\u00c0-\u024f][\w\u00c0-\u024f ]*?)['"]?\s*(?=$|[,;|/.)\n]|(?<=\s)-?\d{1,3}(?!\w)|(?<=\s)[A-Z]\s*[=:])/g;

/** A number, or so few letters that they are no word. */
export const isCode = (word: string): boolean => /^-?\d+$/.test(word) || word.trim().length <= 2;
