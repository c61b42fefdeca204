/** In which letters a word is written. A word without letters, such as a number, is `upper`. */
export function spellingOf(word: string): "upper" | "lower" | "mixed" {
  if (word === word.toUpperCase()) return "upper";
  return word === word.toLowerCase() ? "lower" : "mixed";
}

/** The word spelled like the example, otherwise the first; undefined of none. */
export function wordLike(words: readonly string[], example: string | null): string | undefined {
  const alike = example === null ? undefined : words.find((word) => spellingOf(word) === spellingOf(example));
  return alike ?? words[0];
}
