import { matchWords } from "./match-words.ts";
import { wordsOf } from "./name-words.ts";
import { ROLE_PATTERNS } from "./role-patterns.ts";

/** True of a name that says that the column has a status: `status`, `send_status`, `estado`. */
export const isStatusName = (name: string): boolean =>
  ROLE_PATTERNS.status.some((pattern) => matchWords(wordsOf(name), pattern) !== null);
