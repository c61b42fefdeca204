import { AppError } from "#domain/errors.ts";
import type { MappedColumn, OutboxMapping } from "../../mapping.ts";
import { encodeInstant, quoteIdentifier, quoteLiteral } from "../mapping-sql.ts";

/** `SET` list that makes a message new again in the table's own columns: status, attempts, error, next time, lock. */
export function retryAssignments(mapping: OutboxMapping): string[] {
  const { columns, lifecycle } = mapping;
  const set: string[] = [];
  if (lifecycle.kind === "status") set.push(`${quoteIdentifier(lifecycle.column.name)} = ${pendingWord(mapping)}`);
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

function pendingWord(mapping: OutboxMapping): string {
  const word = mapping.lifecycle.kind === "status" ? usualWord(mapping.lifecycle.pending) : undefined;
  if (word === undefined)
    throw new AppError("wrong_state", "The mapping names no status for a pending message: set lifecycle.pending.");
  return quoteLiteral(word);
}

/** A free-text status is mapped with many spellings; the first is the one that tutorials write. */
function usualWord(words: readonly string[]): string | undefined {
  return words[0];
}

/** `SET` list that marks a message dead in the table's own columns; null when the table has no word for it. */
export function deadAssignments(mapping: OutboxMapping): string[] | null {
  const { columns, lifecycle, deadAttempts } = mapping;
  const byAttempts =
    columns.attempts && deadAttempts !== null
      ? [
          `${quoteIdentifier(columns.attempts.name)} = greatest(coalesce(${quoteIdentifier(columns.attempts.name)}, 0), ${deadAttempts})`,
        ]
      : [];
  if (lifecycle.kind !== "status") return byAttempts.length > 0 ? byAttempts : null;
  const word = usualWord(lifecycle.dead) ?? (byAttempts.length > 0 ? usualWord(lifecycle.failed) : undefined);
  return word === undefined
    ? null
    : [`${quoteIdentifier(lifecycle.column.name)} = ${quoteLiteral(word)}`, ...byAttempts];
}
