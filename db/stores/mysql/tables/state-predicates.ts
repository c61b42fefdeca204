import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { ALWAYS, all, any, grouped, isTrue, NEVER } from "#db/stores/shared/conditions.ts";
import { kindOf } from "./column-kinds.ts";
import { attemptsValue, inlined, instantOf, NOW } from "./column-values.ts";
import type { OutboxTable } from "./outbox-table.ts";

/**
 * The state of a message by its table alone: one predicate per state, used by lists, counts, groups, actions, the
 * relay, index advice and the guard against scans. Constants are inlined. What an index can serve (`IS NULL`, `= 0`,
 * status words) stands unwrapped, because an index serves no expression over its column.
 */
type Of = Pick<OutboxTable, "mapping" | "column">;

/** `column IN (words)` over a status column. Words compare as the column's own collation has it; numbers as numbers. */
export function statusIn({ column }: Of, status: MappedColumn, words: readonly string[]): SQL {
  const values = valuesOf(status, words);
  if (values.length === 0) return NEVER;
  const [only] = values;
  return values.length === 1
    ? sql`${column(status)} = ${only}`
    : sql`${column(status)} IN (${sql.join(values, sql`, `)})`;
}

/** None of the words, or null. */
function statusNotIn({ column }: Of, status: MappedColumn, words: readonly string[]): SQL {
  const values = valuesOf(status, words);
  if (values.length === 0) return ALWAYS;
  const others = sql`${column(status)} NOT IN (${sql.join(values, sql`, `)})`;
  return status.nullable ? sql`(${others} OR ${column(status)} IS NULL)` : others;
}

const NUMBER = /^-?\d{1,19}$/;

/** Words as literals. A column of numbers has no other words: as text they would all compare as 0. */
function valuesOf(status: MappedColumn, words: readonly string[]): SQL[] {
  if (kindOf(status.type) !== "integer") return words.map(inlined);
  const numbers = words.map((word) => ({ true: "1", false: "0" })[word.toLowerCase()] ?? word);
  return numbers.filter((word) => NUMBER.test(word)).map((word) => sql.raw(word));
}

/** Published by the table. */
export function published(outbox: Of): SQL {
  const { lifecycle } = outbox.mapping;
  switch (lifecycle.kind) {
    case "timestamp":
      return sql`${outbox.column(lifecycle.column)} IS NOT NULL`;
    case "status":
      return statusIn(outbox, lifecycle.column, lifecycle.published);
    case "flag":
      return sql`${outbox.column(lifecycle.column)} <> 0`;
    case "delete":
    case "log":
    case "unknown":
      return NEVER;
  }
}

/** Not published by the table. Includes dead, expired and unknown messages. */
export function notPublished(outbox: Of): SQL {
  const { lifecycle } = outbox.mapping;
  switch (lifecycle.kind) {
    case "timestamp":
      return sql`${outbox.column(lifecycle.column)} IS NULL`;
    case "status":
      return statusNotIn(outbox, lifecycle.column, lifecycle.published);
    case "flag":
      return sql`${outbox.column(lifecycle.column)} = 0`;
    case "delete":
    case "log":
      return ALWAYS;
    case "unknown":
      return NEVER;
  }
}

/** Dead by the table itself. */
export function dead(outbox: Of): SQL {
  const { lifecycle, columns, deadAttempts } = outbox.mapping;
  const byAttempts =
    columns.attempts && deadAttempts !== null
      ? sql`${attemptsValue(outbox, columns.attempts)} >= ${inlined(deadAttempts)}`
      : NEVER;
  const byCount = all(notPublished(outbox), byAttempts);
  if (lifecycle.kind !== "status") return byCount;
  return any(statusIn(outbox, lifecycle.column, lifecycle.dead), grouped(byCount));
}

/** Expired by the table: a status word, or an expiry that has passed. Does not exclude published messages. */
export function expired(outbox: Of): SQL {
  const { lifecycle, columns } = outbox.mapping;
  const byWord = lifecycle.kind === "status" ? statusIn(outbox, lifecycle.column, lifecycle.expired) : NEVER;
  if (!columns.expiresAt) return byWord;
  return any(byWord, isTrue(sql`${instantOf(outbox, columns.expiresAt)} <= ${NOW}`));
}

/** The status is null or a word that the mapping does not name; all rows if no column shows a state. */
export function unknown(outbox: Of): SQL {
  const { lifecycle } = outbox.mapping;
  if (lifecycle.kind === "flag" && lifecycle.column.nullable) return sql`${outbox.column(lifecycle.column)} IS NULL`;
  if (lifecycle.kind === "unknown") return ALWAYS;
  if (lifecycle.kind !== "status") return NEVER;
  const { pending, inFlight, failed: failing, published: sent, dead: over, expired: late } = lifecycle;
  const named = [...pending, ...inFlight, ...failing, ...sent, ...over, ...late];
  return grouped(statusNotIn(outbox, lifecycle.column, named));
}

/** Not published, not natively dead, status known: the unsent messages as far as an index can express it. */
export function waiting(outbox: Of): SQL {
  const { lifecycle, columns, deadAttempts } = outbox.mapping;
  const open =
    lifecycle.kind === "status"
      ? statusIn(outbox, lifecycle.column, [...lifecycle.pending, ...lifecycle.inFlight, ...lifecycle.failed])
      : notPublished(outbox);
  if (!columns.attempts || deadAttempts === null) return open;
  return all(open, sql`${attemptsValue(outbox, columns.attempts)} < ${inlined(deadAttempts)}`);
}

/** True if the table shows that an attempt of a waiting message failed. */
export function tellsFailures({ mapping: { lifecycle, columns } }: Pick<Of, "mapping">): boolean {
  return columns.attempts !== undefined || (lifecycle.kind === "status" && lifecycle.failed.length > 0);
}

/** Waiting messages with a failed attempt by the table; NEVER if the table does not show it. */
export function failed(outbox: Of): SQL {
  const { lifecycle, columns } = outbox.mapping;
  const byWord = lifecycle.kind === "status" ? statusIn(outbox, lifecycle.column, lifecycle.failed) : NEVER;
  const byCount = columns.attempts ? sql`${attemptsValue(outbox, columns.attempts)} > 0` : NEVER;
  return all(waiting(outbox), any(byWord, byCount));
}

/**
 * Unsent by the table alone: not published, not natively dead, not expired, status known. Includes messages that are
 * dead by the store side.
 */
export function unsent(outbox: Of): SQL {
  const { expiresAt } = outbox.mapping.columns;
  if (!expiresAt) return waiting(outbox);
  return all(waiting(outbox), sql`coalesce(${instantOf(outbox, expiresAt)} > ${NOW}, true)`);
}

/** In flight by the table itself: a relay (ours or the team's) is publishing the message. */
export function nativeInFlight(outbox: Of): SQL {
  const { lifecycle, columns } = outbox.mapping;
  const locked = columns.lockedUntil ? isTrue(sql`${instantOf(outbox, columns.lockedUntil)} > ${NOW}`) : undefined;
  if (lifecycle.kind !== "status") return locked ?? NEVER;
  const marked = isTrue(statusIn(outbox, lifecycle.column, lifecycle.inFlight));
  return locked ? grouped(all(marked, locked)) : marked;
}

/** In flight by the table's status, but its lock has expired. */
export function nativeClaimExpired(outbox: Of): SQL {
  const { lifecycle, columns } = outbox.mapping;
  if (lifecycle.kind !== "status" || lifecycle.inFlight.length === 0 || !columns.lockedUntil) return NEVER;
  const marked = statusIn(outbox, lifecycle.column, lifecycle.inFlight);
  return isTrue(all(marked, sql`${instantOf(outbox, columns.lockedUntil)} <= ${NOW}`));
}

/** In flight by the table's status, and no column gives an expiry. */
export function claimUndated(outbox: Of): SQL {
  const { lifecycle, columns } = outbox.mapping;
  if (lifecycle.kind !== "status" || columns.lockedUntil) return NEVER;
  return isTrue(statusIn(outbox, lifecycle.column, lifecycle.inFlight));
}
