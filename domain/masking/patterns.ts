import { cutText } from "#domain/text/cut-text.ts";
import { escapeRegExp } from "./escape-reg-exp.ts";
import { MASK, type Masked, type MaskRules, type Path, type Pattern } from "./mask-rules.ts";

/** What the configuration names without writing an expression. */
export const PATTERN_NAMES = ["email", "card", "iban", "phone", "token"] as const;
export type PatternName = (typeof PATTERN_NAMES)[number];

export const NAMED_PATTERNS: Record<PatternName, readonly Pattern[]> = {
  email: [{ needs: "@", expression: /[\p{L}\p{N}._%+'-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu }],
  card: [{ shortest: 13, expression: /(?<![\p{L}\p{N}])\d(?:[ -]?\d){12,18}(?![\p{L}\p{N}])/gu, holds: hasLuhnDigit }],
  iban: [
    {
      shortest: 15,
      expression: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\p{L}\p{N}])/gu,
      holds: hasIbanRemainder,
    },
  ],
  phone: [{ needs: "+", expression: /(?<![\p{L}\p{N}])\+\d[\d ()./-]{6,20}\d(?![\p{L}\p{N}])/gu }],
  token: [
    { shortest: 14, expression: /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/giu },
    // A match begins where a run of these characters does: text of runs without dots is read once.
    { shortest: 25, expression: /(?<![\w-])[\w-]+(?:\.[\w-]*){2,}/gu, holds: hasJsonWebToken },
  ],
};

/** Of segments between dots: header and body of a token, and a signature that may be empty. */
function hasJsonWebToken(segments: string): boolean {
  const all = segments.split(".");
  return all.some((header, at) => {
    const body = all[at + 1] ?? "";
    return all[at + 2] !== undefined && body.length >= 10 && /\beyJ[\w-]{10}/.test(header);
  });
}

/** Most characters of an error that are looked at; the rest of a longer one is left out. */
const MOST_TEXT = 20_000;
/** Shorter values are words of every error. */
const SHORTEST_VALUE = 4;

/** Replaces what the patterns find. */
export function maskPatterns(text: string, patterns: readonly Pattern[]): { text: string; found: string[] } {
  const found: string[] = [];
  let masked = text;
  for (const { expression, holds, shortest = 0, needs } of patterns) {
    if (masked.length < shortest || (needs !== undefined && !masked.includes(needs))) continue;
    masked = masked.replace(expression, (match) => {
      if (match === "" || (holds && !holds(match))) return match;
      found.push(match);
      return MASK;
    });
  }
  return { text: masked, found };
}

/**
 * An error or another free text: what patterns find, the given values, and what follows the last name of a path, as in
 * `email=ann@x.org`, `"email": "…"` and `Key (email)=(…)`.
 */
export function maskFreeText(text: string, rules: MaskRules, values: readonly string[] = []): Masked {
  const cut = text.length > MOST_TEXT ? `${cutText(text, MOST_TEXT)}…` : text;
  const { text: withoutPatterns, found } = maskPatterns(cut, rules.patterns);
  let count = found.length;
  const counted = () => {
    count += 1;
    return MASK;
  };
  const known = values.filter((value) => value.length >= SHORTEST_VALUE).toSorted((a, b) => b.length - a.length);
  const spelled = [...new Set(known.flatMap(spellings))];
  let masked = withoutPatterns;
  for (const value of spelled) if (masked.includes(value)) masked = masked.replaceAll(value, counted);
  const end = spelled.length === 0 ? null : endOfCut(masked);
  if (end !== null) {
    const shown = masked.slice(0, end);
    let begun = 0;
    for (const value of spelled) begun = Math.max(begun, beginningAtEnd(shown, value));
    if (begun > 0) masked = `${shown.slice(0, end - begun)}${counted()}${masked.slice(end)}`;
  }
  for (const expression of behindNames(rules.paths))
    masked = masked.replace(expression, (_, before: string, value: string) =>
      value.includes(MASK) ? `${before}${value}` : `${before}${counted()}`,
    );
  return { text: masked, count, values: found };
}

/** A value as errors spell it: as it is, escaped, and with its white space made single spaces. */
function spellings(value: string): string[] {
  return [value, JSON.stringify(value).slice(1, -1), value.replace(/\s+/g, " ")];
}

/** Most characters of a value that a text which was cut may end with. */
const MOST_BEGUN = 500;

/** Sinks keep that much of an answer, or more: a text of this length may have been cut. */
const SHORTEST_CUT = 300;

/** What stands behind the last word of a text: the marks of a cut, and quotes and brackets around what was cut. */
const BEHIND = new Set("….\"')]} \n\r\t");

/** Where the last word of a text that may have been cut ends; null for another text. */
function endOfCut(text: string): number | null {
  let end = text.length;
  while (end > 0 && BEHIND.has(text.charAt(end - 1))) end -= 1;
  return text.length >= SHORTEST_CUT || /…|\.{3}/.test(text.slice(end)) ? end : null;
}

/** How many characters of the value the text ends with, where it was cut within the value; 0 if it was not. */
function beginningAtEnd(text: string, value: string): number {
  for (let length = Math.min(value.length - 1, text.length, MOST_BEGUN); length >= SHORTEST_VALUE; length -= 1)
    if (text.endsWith(value.slice(0, length))) return length;
  return 0;
}

const expressions = new WeakMap<readonly Path[], RegExp[]>();

const VALUE = String.raw`\\"(?:(?!\\").)*(?:\\")?|"(?:[^"\\]|\\.)*"?|'[^']*'?|\([^)]*\)?|[^\s,;&)}\]]+`;

function behindNames(paths: readonly Path[]): RegExp[] {
  const known = expressions.get(paths);
  if (known) return known;
  const names = new Set(paths.flatMap((path) => path.findLast((part) => part !== "*") ?? []));
  const made = [...names].map(
    (name) =>
      new RegExp(
        String.raw`((?<![\p{L}\p{N}_])${escapeRegExp(name)}["'\x60\\)\]]{0,3}\s{0,3}(?::|=>?)\s{0,3})(${VALUE})`,
        "giu",
      ),
  );
  expressions.set(paths, made);
  return made;
}

function hasLuhnDigit(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = digit * 2;
    sum += at % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** ISO 13616: the account with its first four characters at the end, letters as numbers, leaves 1 by 97. */
function hasIbanRemainder(text: string): boolean {
  const account = text.replaceAll(" ", "");
  const turned = `${account.slice(4)}${account.slice(0, 4)}`;
  const digits = turned.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder === 1;
}
