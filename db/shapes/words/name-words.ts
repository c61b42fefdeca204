import { CONCEPTS, type Concept, SKELETONS, unaccented } from "./concepts.ts";
import { remember } from "./remember.ts";
import { inEnglish, joined, OTHER_LETTERS } from "./script-words.ts";

export interface NameWord {
  text: string;
  /** Empty for a word that is not known. */
  concepts: readonly Concept[];
}

export const hasConcept = (words: readonly NameWord[], concept: Concept): boolean =>
  words.some(({ concepts }) => concepts.includes(concept));

/** Joined words shorter than this are not taken apart: too many names would fall to pieces. */
const LEAST_LETTERS = 2;

/**
 * The words of a name, in any of snake_case, camelCase, PascalCase, UPPER_CASE and kebab-case; joined lower-case words
 * (`lasterror`) are taken apart if every part is known.
 */
export const wordsOf: (name: string) => readonly NameWord[] = remember((name) => name, split);

function split(name: string): NameWord[] {
  const plain = joined(unaccented(inEnglish(name)).normalize("NFC"));
  const parts = plain
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(APART)
    .filter((part) => part !== "");
  return withoutZones(parts.flatMap((part) => known(part.toLowerCase())));
}

const APART = new RegExp(`[^A-Za-z0-9${OTHER_LETTERS}]+`, "u");

/** `on_utc`, `date_time`: several words for a time next to each other are one; of `date_sent_gmt` the zone says none. */
function withoutZones(words: readonly NameWord[]): NameWord[] {
  const isTime = (word: NameWord | undefined) => word?.concepts.includes("time") === true && word.text !== "data";
  const isZone = (word: NameWord, place: number) => ZONES.has(word.text) && words.slice(0, place).some(isTime);
  return words.filter((word, place) => !(isTime(word) && (isTime(words[place - 1]) || isZone(word, place))));
}

const ZONES: ReadonlySet<string> = new Set(["utc", "gmt"]);

function known(text: string): NameWord[] {
  const concepts = conceptsOf(text);
  if (concepts.length > 0) return [{ text, concepts }];
  const short = SKELETONS.get(text);
  if (short) return [{ text, concepts: short }];
  const pieces = apart(text);
  return pieces?.map((piece) => ({ text: piece, concepts: conceptsOf(piece) })) ?? [{ text, concepts: [] }];
}

function conceptsOf(text: string): readonly Concept[] {
  return CONCEPTS.get(text) ?? [];
}

/** The fewest known words that make up the text; the longest first among equals. German joins some with an `s`. */
function apart(text: string): string[] | null {
  const best: (string[] | null)[] = [[]];
  for (let end = 1; end <= text.length; end++) {
    best[end] = null;
    for (let start = 0; start <= end - LEAST_LETTERS; start++) {
      const before = best[start];
      const word = pieceOf(text.slice(start, end), end < text.length);
      if (!before || word === null) continue;
      const found = [...before, word];
      if (!best[end] || found.length < (best[end]?.length ?? 0)) best[end] = found;
    }
  }
  return best[text.length] ?? null;
}

/** `versuchs` of `versuchszaehler` is `versuch`. */
function pieceOf(text: string, hasMore: boolean): string | null {
  if (isPiece(text)) return text;
  const unjoined = text.slice(0, -1);
  return hasMore && JOINED.test(text) && CONCEPTS.has(unjoined) ? unjoined : null;
}

const JOINED = /(ung|ion|tat|taet|versuch)s$/;

/** Words that are read alone: `createdat` has no `dat`, nor `person` a `son`. */
const ALONE: ReadonlySet<string> = new Set(["dat", "son", "tag", "yuk", "job"]);

/** Of two letters only those that end or begin names. */
function isPiece(word: string): boolean {
  return word.length > 2
    ? CONCEPTS.has(word) && !ALONE.has(word)
    : ["at", "on", "id", "by", "no", "is", "ts"].includes(word);
}
