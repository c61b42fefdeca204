import { type SQL, sql } from "drizzle-orm";
import { spellingOf } from "#db/shapes/status-lifecycle.ts";
import { AppError } from "#domain/errors.ts";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { encodeInstant, inlined, NOW } from "../tables/column-values.ts";

/**
 * `SET` list that makes a message new again in the table's own columns: status, attempts, error, next time, lock.
 * `current` is the row's present status: a guessed pending word is written in its spelling.
 */
export function retryAssignments(mapping: OutboxMapping, current: string | null): SQL[] {
  const { columns, lifecycle } = mapping;
  const { attempts, lastError, availableAt, lockedUntil, lockedBy } = columns;
  return [
    ...(lifecycle.kind === "status" ? [assign(lifecycle.column, inlined(pendingWord(mapping, current)))] : []),
    ...(attempts ? [assign(attempts, sql`0`)] : []),
    ...(lastError ? [assign(lastError, lastError.nullable ? NULL : sql`''`)] : []),
    ...(availableAt && attempts ? [assign(availableAt, clearedTime(availableAt))] : []),
    ...(lockedUntil?.nullable ? [assign(lockedUntil, NULL)] : []),
    ...(lockedBy?.nullable ? [assign(lockedBy, NULL)] : []),
  ];
}

const NULL = sql`NULL`;

function assign(column: MappedColumn, value: SQL): SQL {
  return sql`${sql.identifier(column.name)} = ${value}`;
}

function clearedTime(column: MappedColumn): SQL {
  return column.nullable ? NULL : encodeInstant(column, NOW);
}

function pendingWord({ lifecycle }: OutboxMapping, current: string | null): string {
  const word =
    lifecycle.kind === "status" ? wordLike(lifecycle.pending, lifecycle.guessed ? current : null) : undefined;
  if (word === undefined)
    throw new AppError("wrong_state", "The mapping names no status for a pending message: set lifecycle.pending.");
  return word;
}

/** The word spelled like the row's own word, otherwise the first of the list. */
function wordLike(words: readonly string[], current: string | null): string | undefined {
  const alike = current === null ? undefined : words.find((word) => spellingOf(word) === spellingOf(current));
  return alike ?? words[0];
}

/**
 * `SET` list that marks a message dead in the table's own columns; null if they cannot express it. A guessed word is
 * never introduced: the team's tools would not know it.
 */
export function deadAssignments(mapping: OutboxMapping, current: string | null = null): SQL[] | null {
  const { columns, lifecycle, deadAttempts } = mapping;
  const byAttempts = columns.attempts && deadAttempts !== null ? [spent(columns.attempts, deadAttempts)] : [];
  if (lifecycle.kind !== "status") return byAttempts.length > 0 ? byAttempts : null;
  const named = lifecycle.guessed ? undefined : lifecycle.dead[0];
  const word =
    named ?? (byAttempts.length > 0 ? wordLike(lifecycle.failed, lifecycle.guessed ? current : null) : undefined);
  return word === undefined ? null : [assign(lifecycle.column, inlined(word)), ...byAttempts];
}

function spent(attempts: MappedColumn, deadAttempts: number): SQL {
  return assign(attempts, sql`GREATEST(COALESCE(${sql.identifier(attempts.name)}, 0), ${inlined(deadAttempts)})`);
}
