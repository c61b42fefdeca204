import { AppError } from "#domain/errors.ts";
import { wordLike } from "#domain/text/spelling.ts";
import type { Lifecycle } from "../../port/mapping.ts";

type StatusLifecycle = Extract<Lifecycle, { kind: "status" }>;
type WordList = "pending" | "failed" | "published" | "dead";

/**
 * Words of a list that may be written: all of them if the catalog or the configuration lists the words, otherwise only
 * words that are known to be in use, because the team's own programs may not know others.
 */
export function writableWords(lifecycle: StatusLifecycle, list: WordList): readonly string[] {
  if (!lifecycle.guessed) return lifecycle[list];
  return lifecycle[list].filter((word) => lifecycle.shown?.includes(word));
}

/** The word for a dead message; undefined if none is known to be in use. */
export function deadWord(lifecycle: Lifecycle): string | undefined {
  return lifecycle.kind === "status" ? writableWords(lifecycle, "dead")[0] : undefined;
}

/** The word that makes a message new again; a guessed one in the spelling of the row's present word. */
export function pendingWord(lifecycle: StatusLifecycle, current: string | null): string {
  const word = wordLike(writableWords(lifecycle, "pending"), lifecycle.guessed ? current : null);
  if (word !== undefined) return word;
  throw new AppError(
    "wrong_state",
    `Nothing shows which word of ${lifecycle.column.name} means pending: no default, index, row or configuration. Name it under lifecycle.pending in outbox.yaml.`,
  );
}

/**
 * The word of a failure, for a message that is dead by its number of attempts; undefined if none is known to be in use.
 */
export function failedWord(lifecycle: StatusLifecycle, current: string | null): string | undefined {
  return wordLike(writableWords(lifecycle, "failed"), lifecycle.guessed ? current : null);
}
