import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping, PendingWord } from "../../port/mapping.ts";
import { freeValue, holdsText, isWritten } from "../../port/written-columns.ts";
import { inlined } from "../states/conditions.ts";
import { resetsNextAttempt } from "./resets-next-attempt.ts";
import { changesOf, type ValueWriter } from "./ruled-changes.ts";
import { failedWord, pendingWord, writableWords } from "./writable-words.ts";

/**
 * `SET` list that makes a message new again in the table's own columns: status, attempts, error, next time, lock.
 * `current` is the row's present status: a guessed pending word is written in its spelling.
 */
export function retryAssignments(mapping: OutboxMapping, current: string | null, write: ValueWriter): SQL[] {
  const { columns, lifecycle } = mapping;
  const { attempts, lastError, availableAt, lockedUntil, lockedBy } = columns;
  const free = lockedUntil ? freeValue(lockedUntil) : null;
  const resets = changesOf({ set: mapping.resets ?? [], does: "" }, write);
  return [
    ...(lifecycle.kind === "status" ? [assign(lifecycle.column, statusValue(pendingWord(lifecycle, current)))] : []),
    ...(attempts ? [assign(attempts, sql`0`)] : []),
    ...(lastError ? emptied(lastError) : []),
    ...(isWritten(availableAt) && resetsNextAttempt(mapping) ? [assign(availableAt, dueNow(availableAt, write))] : []),
    ...(lockedUntil && free !== null ? changesOf({ set: [{ column: lockedUntil, to: free }], does: "" }, write) : []),
    ...(lockedBy && (lockedBy.nullable || lockedBy.emptyAtFirst) ? emptied(lockedBy) : []),
    ...resets,
  ];
}

/** True if the last error stays in a row that is retried, so that it may go on saying that the message failed. */
export function keepsError({ columns: { lastError } }: OutboxMapping): boolean {
  return lastError !== undefined && emptied(lastError).length === 0;
}

const NULL = sql`NULL`;

const statusValue = (word: PendingWord): SQL => (word === null ? NULL : inlined(word));

function assign(column: MappedColumn, value: SQL): SQL {
  return sql`${sql.identifier(column.name)} = ${value}`;
}

/** A document or an array cannot be an empty text: if the column must have a value, the last error stays. */
function emptied(column: MappedColumn): SQL[] {
  if (column.nullable && !column.emptyAtFirst) return [assign(column, NULL)];
  return holdsText(column) ? [assign(column, sql`''`)] : [];
}

/** The current time and not null, because a relay that compares times (`next_retry_at <= now()`) never finds a null. */
function dueNow(column: MappedColumn, write: ValueWriter): SQL {
  return column.nullIsDue ? NULL : write.now(column, 0);
}

/**
 * `SET` list that marks a message dead in the table's own columns; null if they cannot express it. A guessed word is
 * never introduced: the team's tools would not know it.
 */
export function deadAssignments(mapping: OutboxMapping, current: string | null, write: ValueWriter): SQL[] | null {
  const { columns, lifecycle, deadAttempts } = mapping;
  const byAttempts = columns.attempts && deadAttempts !== null ? [spent(columns.attempts, deadAttempts)] : [];
  if (lifecycle.kind !== "status") return byAttempts.length > 0 ? byAttempts : null;
  const marks = (lifecycle.marks ?? []).filter(({ kind }) => kind === "dead");
  const set = changesOf({ set: marks.map(({ column, marked }) => ({ column, to: marked })), does: "" }, write);
  const [named] = writableWords(lifecycle, "dead");
  if (named !== undefined) return [assign(lifecycle.column, inlined(named)), ...set, ...byAttempts];
  if (set.length > 0) return [...set, ...byAttempts];
  if (byAttempts.length === 0) return null;
  const failed = failedWord(lifecycle, current);
  return failed === undefined ? byAttempts : [assign(lifecycle.column, inlined(failed)), ...byAttempts];
}

function spent(attempts: MappedColumn, deadAttempts: number): SQL {
  return assign(attempts, sql`greatest(coalesce(${sql.identifier(attempts.name)}, 0), ${inlined(deadAttempts)})`);
}
