import { matchWords } from "./match-words.ts";
import { type NameWord, wordsOf } from "./name-words.ts";
import { remember } from "./remember.ts";
import { ROLE_PATTERNS } from "./role-patterns.ts";

export const textOf = (words: readonly NameWord[]) => words.map(({ text }) => text).join(" ");

/** The name of a flag that is true while a row waits: the inverse of a published mark. */
export const isWaitingName = (name: string): boolean =>
  WAITS.test(
    wordsOf(name)
      .map(({ text }) => text)
      .join(""),
  );

const WAITS =
  /^(is|needs|tobe)?(pending|waiting|new|queued|unsent|unpublished|unprocessed|undelivered|undispatched|notsent|notpublished|notprocessed|topublish|tosend|needspublishing|needssending|dirty|outofsync|needssync|needstosync|tosync|tobesynced|syncneeded|syncrequired|publishpending|sendpending|pendiente|pendente|inattesa|ausstehend|offen|neu|enattente|nouveau|nuevo|novo)(flag)?$/;

/** The name of a flag: only words that say that a message was published. */
export const isFlagName: (words: readonly NameWord[]) => boolean = remember(textOf, (words) => {
  const patterns = ROLE_PATTERNS.publishedAt.filter(({ required }) => !required.includes("time"));
  return patterns.some((pattern) => matchWords(words, pattern) !== null);
});
