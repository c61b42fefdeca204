import { matchWords } from "./match-words.ts";
import { wordsOf } from "./name-words.ts";
import { patterns, ROLE_PATTERNS } from "./role-patterns.ts";

/** True of a name that says that the column has a status: `status`, `send_status`, `estado`. */
export const isStatusName = (name: string): boolean =>
  ROLE_PATTERNS.status.some((pattern) => matchWords(wordsOf(name), pattern) !== null);

const SENDS = patterns("5 send flag", "5 send time");

/** True of `publish_ind` and `publish_dttm`, which say that a message is to be published, or that it was. */
export const isSendName = (name: string): boolean =>
  SENDS.some((pattern) => matchWords(wordsOf(name), pattern) !== null);
