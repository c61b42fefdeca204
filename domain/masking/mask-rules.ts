/** What stands in place of a masked value. */
export const MASK = "[masked]";

/** A path to a value, in lower case. `*` stands for every element or member. */
export type Path = readonly string[];

export interface Pattern {
  /** With the flags `g` and `u`. */
  expression: RegExp;
  /** A text that is shorter, or lacks this character, has nothing to find: most values need no search. */
  shortest?: number;
  needs?: string;
  /** Says whether what the expression found is really what it looks for; left out: it is. */
  holds?: (found: string) => boolean;
}

/** What of one message may be seen. */
export interface MaskRules {
  /** Each matches at any depth: `email` covers `customer.email`. */
  paths: readonly Path[];
  patterns: readonly Pattern[];
  /** Every value is masked, apart from those that `shown` names. */
  maskedByDefault: boolean;
  shown: readonly Path[];
  /** Sentence: why payload and headers are hidden whole; null if they are not. */
  hidden: string | null;
  /** Texts of errors are hidden whole. */
  hidesErrors: boolean;
}

/** A text as it may be shown. */
export interface Masked {
  text: string;
  /** Number of masked values. */
  count: number;
  /** The masked values themselves, for finding them in other texts. At most MOST_VALUES. */
  values: string[];
}

/** `$.Customer.Email` is `customer`, `email`. */
export function parsePath(text: string): Path {
  return text
    .replace(/^\$\.?/, "")
    .toLowerCase()
    .split(".")
    .filter((part) => part !== "" && part !== "**");
}

/** True if the end of where a value is fits a path, with the positions in lists or without them. */
export function isAt(place: readonly (string | number)[], paths: readonly Path[]): boolean {
  if (paths.length === 0) return false;
  const names = place.filter((part) => typeof part === "string");
  return paths.some((path) => endsWith(names, path) || (names.length < place.length && endsWith(place, path)));
}

function endsWith(place: readonly (string | number)[], path: Path): boolean {
  const from = place.length - path.length;
  if (from < 0 || path.length === 0) return false;
  return path.every((part, index) => part === "*" || part === String(place[from + index]).toLowerCase());
}

/** True if only what is understood may be shown: a path cannot be found in a text that is no structure. */
export function needsStructure({ paths, maskedByDefault }: MaskRules): boolean {
  return maskedByDefault || paths.length > 0;
}
