import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { attemptsValue, inlined, instantOf } from "./column-values.ts";
import { ALWAYS, all, any, grouped, isNotTrue, isTrue, NEVER } from "./conditions.ts";
import type { OutboxTable } from "./outbox-table.ts";

/**
 * What the table alone says of a message: each state's predicate, written once. Lists, counts, groups, actions, the
 * relay's statements, the advice on indexes and the guard against scans all take it from here. Constants are inlined:
 * a partial index matches only what is written into the statement.
 */
type Of = Pick<OutboxTable, "mapping" | "column">;

/** `column IN (words)` over a status column; enum and number columns compare in their own type. */
export function statusIn({ column }: Of, status: MappedColumn, words: readonly string[]): SQL {
  return words.length === 0 ? NEVER : sql`${column(status)} IN ${[...words]}`.inlineParams();
}

/** The table says that the message was published. */
export function published(outbox: Of): SQL {
  const { lifecycle } = outbox.mapping;
  switch (lifecycle.kind) {
    case "timestamp":
      return sql`${outbox.column(lifecycle.column)} IS NOT NULL`;
    case "status":
      return statusIn(outbox, lifecycle.column, lifecycle.published);
    case "flag":
      return outbox.column(lifecycle.column);
    case "delete":
    case "log":
    case "unknown":
      return NEVER;
  }
}

/**
 * The table says that the message is not published, written so that the usual partial index (`WHERE published_at IS
 * NULL`) serves it. Dead, expired and unknown messages are still in.
 */
export function notPublished(outbox: Of): SQL {
  const { lifecycle } = outbox.mapping;
  switch (lifecycle.kind) {
    case "timestamp":
      return sql`${outbox.column(lifecycle.column)} IS NULL`;
    case "status":
      return isNotTrue(published(outbox));
    case "flag":
      return sql`NOT ${outbox.column(lifecycle.column)}`;
    case "delete":
    case "log":
      return ALWAYS;
    case "unknown":
      return NEVER;
  }
}

/** The table itself says that the message was given up on. */
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

/** The table says that an expiry has passed and the message was not published. */
export function expired(outbox: Of): SQL {
  const { lifecycle, columns } = outbox.mapping;
  const byWord = lifecycle.kind === "status" ? statusIn(outbox, lifecycle.column, lifecycle.expired) : NEVER;
  if (!columns.expiresAt) return byWord;
  return any(byWord, isTrue(sql`${instantOf(outbox, columns.expiresAt)} <= clock_timestamp()`));
}

/** The status is a word (or null) that the mapping does not name; all rows where nothing tells a state. */
export function unknown(outbox: Of): SQL {
  const { lifecycle } = outbox.mapping;
  if (lifecycle.kind === "flag" && lifecycle.column.nullable) return sql`${outbox.column(lifecycle.column)} IS NULL`;
  if (lifecycle.kind === "unknown") return ALWAYS;
  if (lifecycle.kind !== "status") return NEVER;
  const { pending, inFlight, failed: failing, published: sent, dead: over, expired: late } = lifecycle;
  const named = [...pending, ...inFlight, ...failing, ...sent, ...over, ...late];
  return isNotTrue(statusIn(outbox, lifecycle.column, named));
}

/**
 * Not published, not natively dead, status known: what an index can hold of the messages to be sent. The plain part of
 * it (`IS NULL`, status words) stands first and bare so that a partial index matches.
 */
export function waiting(outbox: Of): SQL {
  const { lifecycle, columns, deadAttempts } = outbox.mapping;
  const open =
    lifecycle.kind === "status"
      ? statusIn(outbox, lifecycle.column, [...lifecycle.pending, ...lifecycle.inFlight, ...lifecycle.failed])
      : notPublished(outbox);
  if (!columns.attempts || deadAttempts === null) return open;
  return all(open, sql`${attemptsValue(outbox, columns.attempts)} < ${inlined(deadAttempts)}`);
}

/** The table itself tells of a waiting message that an attempt failed. */
export function tellsFailures({ mapping: { lifecycle, columns } }: Pick<Of, "mapping">): boolean {
  return columns.attempts !== undefined || (lifecycle.kind === "status" && lifecycle.failed.length > 0);
}

/** Waiting messages of which the table tells that an attempt failed; never where it does not tell. */
export function failed(outbox: Of): SQL {
  const { lifecycle, columns } = outbox.mapping;
  const byWord = lifecycle.kind === "status" ? statusIn(outbox, lifecycle.column, lifecycle.failed) : NEVER;
  const byCount = columns.attempts ? sql`${attemptsValue(outbox, columns.attempts)} > 0` : NEVER;
  return all(waiting(outbox), any(byWord, byCount));
}

/**
 * Still to be sent as far as the table alone can tell: not published, not natively dead, not expired, status known.
 * Messages that are dead by the store side are still in.
 */
export function unsent(outbox: Of): SQL {
  const { expiresAt } = outbox.mapping.columns;
  if (!expiresAt) return waiting(outbox);
  return all(waiting(outbox), sql`coalesce(${instantOf(outbox, expiresAt)} > clock_timestamp(), true)`);
}

/** The table itself says that a relay (ours or the team's) is publishing the message. */
export function nativeInFlight(outbox: Of): SQL {
  const { lifecycle, columns } = outbox.mapping;
  const locked = columns.lockedUntil
    ? isTrue(sql`${instantOf(outbox, columns.lockedUntil)} > clock_timestamp()`)
    : undefined;
  if (lifecycle.kind !== "status") return locked ?? NEVER;
  const marked = isTrue(statusIn(outbox, lifecycle.column, lifecycle.inFlight));
  return locked ? grouped(all(marked, locked)) : marked;
}

/** The table's own word says that a relay is publishing the message, and its lock has run out. */
export function nativeClaimExpired(outbox: Of): SQL {
  const { lifecycle, columns } = outbox.mapping;
  if (lifecycle.kind !== "status" || lifecycle.inFlight.length === 0 || !columns.lockedUntil) return NEVER;
  const marked = statusIn(outbox, lifecycle.column, lifecycle.inFlight);
  return isTrue(all(marked, sql`${instantOf(outbox, columns.lockedUntil)} <= clock_timestamp()`));
}

/** The table's own word says that a relay is publishing the message, and no column says until when. */
export function claimUndated(outbox: Of): SQL {
  const { lifecycle, columns } = outbox.mapping;
  if (lifecycle.kind !== "status" || columns.lockedUntil) return NEVER;
  return isTrue(statusIn(outbox, lifecycle.column, lifecycle.inFlight));
}
