import type { Concept } from "../words/concepts.ts";
import type { NameWord } from "../words/name-words.ts";

const COUNTED: readonly Concept[] = ["count", "attempt", "limit", "remaining", "delay", "sequence"];
const MEASURED =
  /^(bytes?|size|length|version|revision|generation|rows?|lines?|steps?|items|parts|chunks|pages|targets|recipients|subscribers|copies|ms|millis|seconds|percent|ratio|rate)$/;

/** What is counted or measured, and is neither a code nor a flag: `sent_bytes`, `published_version`, `failed_count`. */
export function isMeasured(words: readonly NameWord[]): boolean {
  return words.some(
    ({ text, concepts }) => MEASURED.test(text) || concepts.some((concept) => COUNTED.includes(concept)),
  );
}
