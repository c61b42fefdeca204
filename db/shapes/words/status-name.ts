import type { Concept } from "./concepts.ts";
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

const OF_ENDS: readonly Concept[] = ["dead", "failed", "error", "withdrawn", "withdrawal", "busy", "approved"];
const OTHER_MARKS =
  /delet|archiv|lock|lease|claim|expire|cancel|fail|error|dead|next|avail|sched|read|borr|exclu|lösch|losch/i;

/**
 * True of a name that says something else of a row than that it was published, although an index may expect it of what
 * waits: `poisoned`.
 */
export const isEndName = (name: string): boolean =>
  OTHER_MARKS.test(name) || wordsOf(name).some(({ concepts }) => concepts.some((one) => OF_ENDS.includes(one)));
