import type { Lifecycle } from "../port/mapping.ts";

type StatusLifecycle = Extract<Lifecycle, { kind: "status" }>;
type WordList = "pending" | "failed" | "published" | "dead";

/**
 * Words of a list that may be written: all of them where the catalog or the configuration lists the words, otherwise
 * only those that something shows. The team's own programs would not know another.
 */
export function writableWords(lifecycle: StatusLifecycle, list: WordList): readonly string[] {
  if (!lifecycle.guessed) return lifecycle[list];
  return lifecycle[list].filter((word) => lifecycle.shown?.includes(word));
}

/** The word for a dead message; undefined if nothing shows one. */
export function deadWord(lifecycle: Lifecycle): string | undefined {
  return lifecycle.kind === "status" ? writableWords(lifecycle, "dead")[0] : undefined;
}
