import { clipWords } from "#components/ui/format/clip-words.ts";
import type { FailureGroup } from "#contracts/message/messages.ts";

/** Characters of the error that name the group in dialogs and titles. */
const NAME_CHARACTERS = 90;

export function nameOf({ title, text, fingerprint }: FailureGroup): string {
  return text === "" || fingerprint === null ? title : clipWords(text, NAME_CHARACTERS);
}
