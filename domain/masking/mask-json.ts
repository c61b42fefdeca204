import { decodeBase64 } from "./base64.ts";
import { isAt, MASK, type Masked, type MaskRules } from "./mask-rules.ts";
import { maskPatterns } from "./patterns.ts";

/** Most masked values that are remembered of one text. */
const MOST_VALUES = 1_000;
/** Most levels of objects and lists; a deeper text is not read. */
const MOST_DEPTH = 256;
/** Most levels of JSON inside JSON strings that are followed; deeper ones are masked whole. */
const MOST_NESTED = 8;
const TOKEN = /[ \t\r\n]+|"(?:[^"\\]+|\\[\s\S])*"?|[{}[\],:]|[^\s"{}[\],:]+/y;
const PLAIN = /^"[ !#-[\]-\u{10ffff}]*"$/u;
const MARK = /[{}[\],:\s]/;
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

interface Frame {
  list: boolean;
  key: string | number;
  /** The next text is a name. */
  atKey: boolean;
  /** Of everything in it. */
  covered: boolean;
  shown: boolean;
}

type Place = readonly (string | number)[];

interface Options {
  /** The text is the beginning of a longer one. */
  cut?: boolean;
  /** Where the text itself is. */
  place?: Place;
}

/**
 * JSON with its masked values replaced and every other character kept, numbers too. JSON inside strings is followed; a
 * string that is base64 is masked whole if what it encodes has something to mask, or is compressed. Null for a text
 * that is no JSON.
 */
export function maskJson(text: string, rules: MaskRules, { cut = false, place = [] }: Options = {}): Masked | null {
  return new JsonMask(rules, place, 0).run(text, cut);
}

class JsonMask {
  readonly #rules: MaskRules;
  readonly #root: Place;
  readonly #level: number;
  readonly #lasts: LastParts;
  readonly #frames: Frame[] = [];
  readonly #out: string[] = [];
  readonly #values: string[] = [];
  #count = 0;

  constructor(rules: MaskRules, root: Place, level: number) {
    this.#rules = rules;
    this.#lasts = lastPartsOf(rules);
    this.#root = root;
    this.#level = level;
  }

  run(text: string, cut: boolean): Masked | null {
    TOKEN.lastIndex = 0;
    const tokens = new RegExp(TOKEN);
    for (let at = 0; at < text.length; at = tokens.lastIndex) {
      tokens.lastIndex = at;
      const token = tokens.exec(text)?.[0];
      if (token === undefined || !this.#take(token, cut && tokens.lastIndex === text.length)) return null;
    }
    if (!cut && this.#frames.length > 0) return null;
    return { text: this.#out.join(""), count: this.#count, values: this.#values };
  }

  /** False if the text is no JSON. `last`: the token may be the beginning of a longer one. */
  #take(token: string, last: boolean): boolean {
    const first = token.charAt(0);
    if (first === '"') return this.#text(token, last);
    if (!MARK.test(first)) return this.#scalar(token, last);
    this.#out.push(token);
    return this.#step(token);
  }

  /** Follows the structure. False where it is not that of JSON. */
  #step(mark: string): boolean {
    const frame = this.#frames.at(-1);
    if (mark === "{" || mark === "[") return this.#open(mark === "[");
    if (mark === "}" || mark === "]") return this.#frames.pop()?.list === (mark === "]");
    else if (mark === ",") {
      if (frame?.list) frame.key = Number(frame.key) + 1;
      else if (frame) frame.atKey = true;
      return frame !== undefined;
    } else if (mark === ":") {
      if (frame) frame.atKey = false;
      return frame?.list === false;
    }
    return true;
  }

  /** False if it is too deep. */
  #open(list: boolean): boolean {
    const { covered, shown } = this.#here();
    return this.#frames.push({ list, key: list ? 0 : "", atKey: !list, covered, shown }) <= MOST_DEPTH;
  }

  #place(): Place {
    return [...this.#root, ...this.#frames.map(({ key }) => key)];
  }

  /** Whether the value at the current place is masked by its path, and shown by one. */
  #here(): { covered: boolean; shown: boolean } {
    const frame = this.#frames.at(-1);
    if (frame && !this.#lasts.may(frame.key)) return frame;
    const place = this.#place();
    return {
      covered: (frame?.covered ?? false) || isAt(place, this.#rules.paths),
      shown: (frame?.shown ?? false) || isAt(place, this.#rules.shown),
    };
  }

  #hidesHere(): boolean {
    const { covered, shown } = this.#here();
    return covered || (this.#rules.maskedByDefault && !shown);
  }

  #text(token: string, last: boolean): boolean {
    const value = parseText(token);
    if (value === null) {
      // Cut inside the text: what is there cannot be judged.
      if (!last) return false;
      this.#out.push(`"${MASK}`);
      this.#count += 1;
      return true;
    }
    const frame = this.#frames.at(-1);
    if (frame?.atKey) {
      frame.key = value;
      this.#push(token, maskPatterns(value, this.#rules.patterns));
      return true;
    }
    if (this.#hidesHere()) this.#mask(`"${MASK}"`, value);
    else this.#inner(token, value);
    return true;
  }

  #scalar(token: string, last: boolean): boolean {
    if (!SCALAR.test(token) && !last) return false;
    const isMasked = token !== "null" && (this.#hidesHere() || this.#hasPattern(token));
    if (isMasked) this.#mask(`"${MASK}"`, token);
    else this.#out.push(token);
    return true;
  }

  #hasPattern(token: string): boolean {
    return maskPatterns(token, this.#rules.patterns).found.length > 0;
  }

  /** A text that its path leaves to be seen. */
  #inner(token: string, value: string): void {
    const nested = this.#nested(value);
    if (nested !== null) {
      if (nested.count === 0) this.#out.push(token);
      else this.#note(JSON.stringify(nested.text), nested);
      return;
    }
    const encoded = decodeBase64(value);
    if (encoded !== null && (encoded.compressed || this.#finds(encoded.text))) this.#mask(`"${MASK}"`, value);
    else this.#push(token, maskPatterns(value, this.#rules.patterns));
  }

  #nested(value: string): Masked | null {
    if (!/^\s*[{["]/.test(value)) return null;
    if (this.#level >= MOST_NESTED) return { text: MASK, count: 1, values: [value] };
    const { shown } = this.#here();
    const rules = shown ? { ...this.#rules, maskedByDefault: false } : this.#rules;
    return new JsonMask(rules, this.#place(), this.#level + 1).run(value, false);
  }

  #finds(text: string): boolean {
    const nested = this.#nested(text);
    return nested === null ? this.#hasPattern(text) : nested.count > 0;
  }

  #push(token: string, { text, found }: { text: string; found: string[] }): void {
    if (found.length === 0) this.#out.push(token);
    else this.#note(JSON.stringify(text), { count: found.length, values: found });
  }

  #mask(replacement: string, value: string): void {
    this.#note(replacement, { count: 1, values: [value] });
  }

  #note(replacement: string, { count, values }: { count: number; values: string[] }): void {
    this.#out.push(replacement);
    this.#count += count;
    for (const value of values) if (this.#values.length < MOST_VALUES) this.#values.push(value);
  }
}

/** The last parts of all paths: most values have names that no path ends with. */
class LastParts {
  readonly #any: boolean;
  readonly #parts: ReadonlySet<string>;

  constructor({ paths, shown }: MaskRules) {
    this.#parts = new Set([...paths, ...shown].flatMap((path) => path.at(-1) ?? []));
    this.#any = this.#parts.has("*");
  }

  /** False if no path ends with the key, so that what holds for the object or list holds for the value. */
  may(key: string | number): boolean {
    return this.#any || (this.#parts.size > 0 && this.#parts.has(String(key).toLowerCase()));
  }
}

const knownLasts = new WeakMap<MaskRules, LastParts>();

function lastPartsOf(rules: MaskRules): LastParts {
  const known = knownLasts.get(rules) ?? new LastParts(rules);
  knownLasts.set(rules, known);
  return known;
}

function parseText(token: string): string | null {
  // Most texts have no escapes, and a control character in one is for a parser to refuse.
  if (token.length > 1 && token.endsWith('"') && PLAIN.test(token)) return token.slice(1, -1);
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === "string" ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
