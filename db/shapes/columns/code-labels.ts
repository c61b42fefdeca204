import type { CatalogTable } from "../../stores/port/catalog.ts";
import { meaningAmong } from "../words/status-words.ts";

/** True if another table says what the codes of a column mean. */
export const refersToCodes = ({ references = [] }: Pick<CatalogTable, "references">, column: string): boolean =>
  references.some(({ columns }) => columns.length === 1 && columns[0] === column);

/**
 * What the codes of a column are called, by the table of codes that it refers to, or by what its team wrote about it
 * (`0 = draft, 1 = pending, 2 = sent`); null where neither says it.
 */
export function labelsOf(
  table: Pick<CatalogTable, "columns" | "references" | "labels">,
  column: string,
): Readonly<Record<string, string>> | null {
  if (refersToCodes(table, column)) return table.labels?.[column] ?? {};
  const { comment = "" } = table.columns.find(({ name }) => name === column) ?? {};
  const text = comment.slice(0, MOST_LETTERS);
  // `bit 0 sent, bit 1 failed`: the numbers are of bits, and a value is a sum of them.
  if (/\b(bits?|bitmask|mask)\b/i.test(text)) return {};
  return understood(pairsOf(text, CODE_AND_WORD)) ?? understood(pairsOf(text, WORD_AND_CODE));
}

const pairsOf = (text: string, pattern: RegExp): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(pattern)].map(({ groups = {} }) => [groups.code ?? "", (groups.word ?? "").trim()]),
  );

/** Of a language that is not understood nothing is said. */
function understood(labels: Record<string, string>): Readonly<Record<string, string>> | null {
  const words = Object.values(labels);
  return words.length >= 2 && words.some((word) => meaningAmong(word, words) !== undefined) ? labels : null;
}

/** Of a longer comment the rest is not read. */
const MOST_LETTERS = 500;
/**
 * Behind several letters, or a small one, only a sign makes a code of them: `ERR = failed`, `s=sent`, and not `NEW
 * until sent`.
 */
const CODE = String.raw`-?\d{1,3}|[A-Z](?![A-Z])|[A-Z]{2,3}(?=\s*[=:：＝-])|[a-z](?=\s*[=:：＝])`;
const BETWEEN = String.raw`\s*(?:[=:.)：＝、）-]|=>)\s*|\s+|(?=\p{Script=Han}|\p{Script=Katakana}|\p{Script=Hangul})`;
/** `->` leads from one state to the next, unless a number stands before it. */
const FROM_NUMBER = String.raw`(?<=\d)\s*->\s*`;
const END = String.raw`$|[,;|/.)\](\n，；、。）】]|(?<=\s)-?\d{1,3}(?!\w)|(?<=\s)[A-Z]{1,3}\s*[=:]`;
const CODE_AND_WORD = new RegExp(
  String.raw`(?<![\w-])(?<code>${CODE})(?:${FROM_NUMBER}|${BETWEEN})['"]?(?<word>\p{L}[\p{L}\p{N}_ ]*?)['"]?\s*(?=${END})`,
  "gu",
);
/** `PENDING(0), SENT(1)`, `pending = 0, sent = 1`. */
const WORD_AND_CODE = /(?<word>\p{L}[\p{L}\p{N}_ ]*?)\s*[=:(（]\s*['"]?(?<code>-?\d{1,3})['"]?(?![\w.])/gu;

/** A number, or so few letters that they are no word. */
export const isCode = (word: string): boolean => /^-?\d+$/.test(word) || word.trim().length <= 2;
