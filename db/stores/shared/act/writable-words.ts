import { AppError } from "#domain/errors.ts";
import { wordLike } from "#domain/text/spelling.ts";
import type { Lifecycle, PendingWord } from "../../port/mapping.ts";

type StatusLifecycle = Extract<Lifecycle, { kind: "status" }>;
type WordList = "pending" | "failed" | "published" | "dead";

/**
 * Words of a list that may be written: all of them if the catalog or the configuration lists the words, otherwise only
 * words that are known to be in use, because the team's own programs may not know others.
 */
export function writableWords<List extends WordList>(lifecycle: StatusLifecycle, list: List): StatusLifecycle[List];
export function writableWords(lifecycle: StatusLifecycle, list: WordList): readonly PendingWord[] {
  if (!lifecycle.guessed) return lifecycle[list];
  return lifecycle[list].filter((word: PendingWord) => lifecycle.shown?.includes(word));
}

/** The word for a dead message; undefined if none is known to be in use. */
export function deadWord(lifecycle: Lifecycle): string | undefined {
  return lifecycle.kind === "status" ? writableWords(lifecycle, "dead")[0] : undefined;
}

/** What makes a message new again: null, or a word; a guessed one in the spelling of the row's present word. */
export function pendingWord(lifecycle: StatusLifecycle, current: string | null): PendingWord {
  const words = writableWords(lifecycle, "pending");
  if (words[0] === null) return null;
  const word = wordLike(
    words.filter((one) => one !== null),
    lifecycle.guessed ? current : null,
  );
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
