const NUL = "the character U+0000, which is not stored";
const HALF = "half of a surrogate pair, such as an emoji that was cut in two, which is not stored";

/** What databases refuse in a text, or store as another character; null if there is nothing. */
export function unstorableIn(text: string): string | null {
  if (text.includes("\0")) return NUL;
  return text.isWellFormed() ? null : HALF;
}

/** Escapes as JSON has them, and not texts that spell one. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;
const ESCAPED_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;

/** The same of the texts in a JSON text. */
export function unstorableInJson(json: string): string | null {
  if (ESCAPED_NUL.test(json)) return NUL;
  if (!ESCAPED_SURROGATE.test(json)) return null;
  // A pair written as two escapes is whole: JSON.stringify escapes only halves.
  return ESCAPED_SURROGATE.test(JSON.stringify(JSON.parse(json))) ? HALF : null;
}
