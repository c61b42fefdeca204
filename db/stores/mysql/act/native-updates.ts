import { type SQL, sql } from "drizzle-orm";
import { spellingOf } from "#db/shapes/lifecycle/status-lifecycle.ts";
import { AppError } from "#domain/errors.ts";
import type { Lifecycle, MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { holdsText, isWritten } from "../../port/written-columns.ts";
import { writableWords } from "../../shared/writable-words.ts";
import { currentValue, inlined } from "../tables/column-values.ts";
import { changesBy } from "./ruled-message.ts";

type StatusLifecycle = Extract<Lifecycle, { kind: "status" }>;

/**
 * `SET` list that makes a message new again in the table's own columns: status, attempts, error, next time, lock.
 * `current` is the row's present status: a guessed pending word is written in its spelling.
 */
export function retryAssignments(mapping: OutboxMapping, current: string | null): SQL[] {
  const { columns, lifecycle } = mapping;
  const { attempts, lastError, availableAt, lockedUntil, lockedBy } = columns;
  const resets = changesBy({ set: mapping.resets ?? [], does: "" });
  return [
    ...(lifecycle.kind === "status" ? [assign(lifecycle.column, inlined(pendingWord(lifecycle, current)))] : []),
    ...(attempts ? [assign(attempts, sql`0`)] : []),
    ...(lastError ? emptied(lastError) : []),
    ...(isWritten(availableAt) && (attempts || lifecycle.kind === "status")
      ? [assign(availableAt, dueNow(availableAt))]
      : []),
    ...(lockedUntil?.nullable && isWritten(lockedUntil) ? [assign(lockedUntil, NULL)] : []),
    ...(lockedBy && (lockedBy.nullable || lockedBy.emptyAtFirst) ? emptied(lockedBy) : []),
    ...resets,
  ];
}

const NULL = sql`NULL`;

function assign(column: MappedColumn, value: SQL): SQL {
  return sql`${sql.identifier(column.name)} = ${value}`;
}

/** An empty text is no document and no array: where there must be one, the last error stays. */
function emptied(column: MappedColumn): SQL[] {
  if (column.nullable && !column.emptyAtFirst) return [assign(column, NULL)];
  return holdsText(column) ? [assign(column, sql`''`)] : [];
}

/** Now rather than null: a relay that compares the time (`next_retry_at <= now()`) would never find a row without one. */
function dueNow(column: MappedColumn): SQL {
  return column.nullIsDue ? NULL : currentValue(column);
}

function pendingWord(lifecycle: StatusLifecycle, current: string | null): string {
  const word = wordLike(writableWords(lifecycle, "pending"), lifecycle.guessed ? current : null);
  if (word !== undefined) return word;
  const { name } = lifecycle.column;
  throw new AppError(
    "wrong_state",
    `Nothing shows which word of ${name} means pending: no default, index, row or configuration. Name it under lifecycle.pending in outbox.yaml.`,
  );
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
  const marks = (lifecycle.marks ?? []).filter(({ kind }) => kind === "dead");
  const set = changesBy({ set: marks.map(({ column, marked }) => ({ column, to: marked })), does: "" });
  const [named] = writableWords(lifecycle, "dead");
  if (named !== undefined) return [assign(lifecycle.column, inlined(named)), ...set, ...byAttempts];
  if (set.length > 0) return [...set, ...byAttempts];
  if (byAttempts.length === 0) return null;
  const failed = wordLike(writableWords(lifecycle, "failed"), lifecycle.guessed ? current : null);
  return failed === undefined ? byAttempts : [assign(lifecycle.column, inlined(failed)), ...byAttempts];
}

function spent(attempts: MappedColumn, deadAttempts: number): SQL {
  return assign(attempts, sql`GREATEST(COALESCE(${sql.identifier(attempts.name)}, 0), ${inlined(deadAttempts)})`);
}
