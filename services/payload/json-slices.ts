/** Value of JSON text; undefined for other text. Numbers may lose digits: only for recognising. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Not an error: content may be anything.
    return undefined;
  }
}

/** An object with more keys is no envelope, and need not be taken apart. */
const MOST_KEYS = 500;

/**
 * The texts of an object's values by their keys, character by character as written, so that no number loses digits;
 * undefined if the text is no object, has a key twice or very many keys. The text must be valid JSON.
 */
export function jsonSlices(text: string): Map<string, string> | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== "{") return undefined;
  const slices = new Map<string, string>();
  at = skipSpace(text, at + 1);
  while (at < text.length && text[at] !== "}") {
    const keyEnd = endOfValue(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const from = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const to = endOfValue(text, from);
    if (typeof key !== "string" || slices.has(key) || slices.size === MOST_KEYS) return undefined;
    slices.set(key, text.slice(from, to));
    at = skipSpace(text, to);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return slices;
}

/** Texts of a list's items, at most `most`; undefined if the text is no list. The text must be valid JSON. */
export function jsonItems(text: string, most: number): string[] | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== "[") return undefined;
  const items: string[] = [];
  at = skipSpace(text, at + 1);
  while (at < text.length && text[at] !== "]" && items.length < most) {
    const to = endOfValue(text, at);
    items.push(text.slice(at, to));
    at = skipSpace(text, to);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return items;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

function endOfValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return endOfString(text, from);
  if (first !== "{" && first !== "[") {
    let at = from;
    while (at < text.length && !/[\s,\]}:]/.test(text[at] ?? "")) at += 1;
    return at;
  }
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      continue;
    }
    at += 1;
    if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    if (depth === 0) return at;
  }
  return at;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at + 1;
}
