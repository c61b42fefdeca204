import { spellingOf } from "#db/shapes/lifecycle.ts";
import { AppError } from "#domain/errors.ts";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { encodeInstant, quoteIdentifier, quoteLiteral } from "../tables/mapping-sql.ts";

/**
 * `SET` list that makes a message new again in the table's own columns: status, attempts, error, next time, lock.
 * `current` is the row's status now: where words are guessed, the one spelled like it is written.
 */
export function retryAssignments(mapping: OutboxMapping, current: string | null): string[] {
  const { columns, lifecycle } = mapping;
  const set: string[] = [];
  if (lifecycle.kind === "status")
    set.push(`${quoteIdentifier(lifecycle.column.name)} = ${pendingWord(mapping, current)}`);
  if (columns.attempts) set.push(`${quoteIdentifier(columns.attempts.name)} = 0`);
  if (columns.lastError)
    set.push(`${quoteIdentifier(columns.lastError.name)} = ${columns.lastError.nullable ? "NULL" : "''"}`);
  if (columns.availableAt && columns.attempts)
    set.push(`${quoteIdentifier(columns.availableAt.name)} = ${clearedTime(columns.availableAt)}`);
  if (columns.lockedUntil?.nullable) set.push(`${quoteIdentifier(columns.lockedUntil.name)} = NULL`);
  if (columns.lockedBy?.nullable) set.push(`${quoteIdentifier(columns.lockedBy.name)} = NULL`);
  return set;
}

function clearedTime(column: MappedColumn): string {
  return column.nullable ? "NULL" : encodeInstant(column, "clock_timestamp()");
}

function pendingWord({ lifecycle }: OutboxMapping, current: string | null): string {
  const word =
    lifecycle.kind === "status" ? wordLike(lifecycle.pending, lifecycle.guessed ? current : null) : undefined;
  if (word === undefined)
    throw new AppError("wrong_state", "The mapping names no status for a pending message: set lifecycle.pending.");
  return quoteLiteral(word);
}

/** The word of the list that is spelled like the row's own word, else the usual one. */
function wordLike(words: readonly string[], current: string | null): string | undefined {
  const alike = current === null ? undefined : words.find((word) => spellingOf(word) === spellingOf(current));
  return alike ?? words[0];
}

/**
 * `SET` list that marks a message dead in the table's own columns; null when the table has no word for it. A word that
 * is only guessed is never introduced: the team's tools would not know it.
 */
export function deadAssignments(mapping: OutboxMapping, current: string | null = null): string[] | null {
  const { columns, lifecycle, deadAttempts } = mapping;
  const byAttempts =
    columns.attempts && deadAttempts !== null
      ? [
          `${quoteIdentifier(columns.attempts.name)} = greatest(coalesce(${quoteIdentifier(columns.attempts.name)}, 0), ${deadAttempts})`,
        ]
      : [];
  if (lifecycle.kind !== "status") return byAttempts.length > 0 ? byAttempts : null;
  const named = lifecycle.guessed ? undefined : lifecycle.dead[0];
  const word =
    named ?? (byAttempts.length > 0 ? wordLike(lifecycle.failed, lifecycle.guessed ? current : null) : undefined);
  return word === undefined
    ? null
    : [`${quoteIdentifier(lifecycle.column.name)} = ${quoteLiteral(word)}`, ...byAttempts];
}
