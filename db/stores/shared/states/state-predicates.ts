import { type SQL, sql } from "drizzle-orm";
import type { Lifecycle, MappedColumn, OutboxMapping, StatusMark } from "../../port/mapping.ts";
import { countsFailures } from "../../port/table-rules.ts";
import { compileCondition, compileStates, type RuledStates } from "./compile-condition.ts";
import { ALWAYS, all, any, atLimit, grouped, isNotTrue, isTrue, NEVER } from "./conditions.ts";
import { neverExpires } from "./expiry.ts";
import type { RowConditions } from "./row-conditions.ts";

/**
 * The state of a message by its table alone: one predicate per state, used by lists, counts, groups, actions, the
 * relay, index advice and the guard against scans. What an index can serve (`IS NULL`, status words) comes first and
 * unwrapped, and constants are inlined, because a partial index only matches literals in the statement.
 */
export interface StatedRow {
  mapping: OutboxMapping;
  column(column: Pick<MappedColumn, "name">): SQL;
  /** The engine's SQL conditions over this row's columns. */
  conditions: RowConditions;
}

const ruled = new WeakMap<StatedRow, RuledStates>();

/** The states of a library's table. Cached. */
export function ruledStates(row: StatedRow, { states }: Extract<Lifecycle, { kind: "rules" }>): RuledStates {
  const made = ruled.get(row) ?? compileStates(states, row.conditions);
  ruled.set(row, made);
  return made;
}

/** Published by the table. */
export function published(outbox: StatedRow): SQL {
  const { lifecycle } = outbox.mapping;
  switch (lifecycle.kind) {
    case "rules":
      return ruledStates(outbox, lifecycle).published;
    case "timestamp":
      return sql`${outbox.column(lifecycle.column)} IS NOT NULL`;
    case "status":
      return all(sentByWord(outbox, lifecycle), isNotTrue(markedAs(outbox, "doubted")));
    case "flag":
      return outbox.conditions.is(lifecycle.column, "true");
    case "log":
      return lifecycle.native ? published(told(outbox, lifecycle.native)) : NEVER;
    case "delete":
    case "untold":
    case "unknown":
      return NEVER;
  }
}

/**
 * Not published by the table, in a form that the usual partial index (`WHERE published_at IS NULL`) serves. Includes
 * dead, expired and unknown messages.
 */
export function notPublished(outbox: StatedRow): SQL {
  const { lifecycle } = outbox.mapping;
  switch (lifecycle.kind) {
    case "timestamp":
      return sql`${outbox.column(lifecycle.column)} IS NULL`;
    case "rules":
      return isNotTrue(published(outbox));
    case "status":
      return any(outbox.conditions.isNotIn(lifecycle.column, lifecycle.published), doubted(outbox, lifecycle));
    case "flag":
      return outbox.conditions.is(lifecycle.column, "false");
    case "delete":
      return ALWAYS;
    case "log":
    case "untold":
    case "unknown":
      return NEVER;
  }
}

/** The same rows, by another lifecycle. */
export function told<Row extends StatedRow>(outbox: Row, lifecycle: Lifecycle): Row {
  return { ...outbox, mapping: { ...outbox.mapping, lifecycle } };
}

/** Not published, or not known to be. */
function unpublished(outbox: StatedRow): SQL {
  return any(notPublished(outbox), unknown(outbox));
}

/** Dead by the table itself. */
export function dead(outbox: StatedRow): SQL {
  const { lifecycle } = outbox.mapping;
  if (lifecycle.kind === "rules") return ruledStates(outbox, lifecycle).dead;
  const byCount = all(notPublished(outbox), spent(outbox));
  if (lifecycle.kind !== "status") return byCount;
  const marked = markedAs(outbox, "dead");
  const byMark =
    marked === NEVER ? NEVER : all(openByWord(outbox, lifecycle), marked, isNotTrue(markedAs(outbox, "withdrawn")));
  return any(outbox.conditions.isIn(lifecycle.column, lifecycle.dead), grouped(byMark), grouped(byCount));
}

/**
 * True if a row can be dead by the table itself, whoever wrote that; no record of ours then has the time of its death.
 */
export function tellsDead(outbox: StatedRow): boolean {
  return dead(outbox) !== NEVER;
}

/**
 * Dead by the table, and not in state unknown, which takes precedence. The same SQL as `dead` if no row can be both.
 */
export function deadAlone(outbox: StatedRow): SQL {
  const { lifecycle } = outbox.mapping;
  // No row can be both: a library's unknown rows are in no other state, and a status word for dead is a known word.
  const apart = lifecycle.kind === "rules" || (lifecycle.kind === "status" && spent(outbox) === NEVER);
  return apart ? dead(outbox) : all(dead(outbox), isNotTrue(unknown(outbox)));
}

/** Expired by the table: a status word, or an expiry that has passed. Does not exclude published messages. */
export function expired(outbox: StatedRow): SQL {
  const { columns } = outbox.mapping;
  const byWord = expiredByRule(outbox);
  const { expiresAt } = columns;
  if (!expiresAt) return byWord;
  const isPast = isTrue(outbox.conditions.isPast(expiresAt, 0));
  return any(byWord, all(isPast, isNotTrue(neverExpires(outbox.conditions, expiresAt))));
}

function expiredByRule(outbox: StatedRow): SQL {
  const { lifecycle } = outbox.mapping;
  if (lifecycle.kind === "rules") return ruledStates(outbox, lifecycle).expired;
  return lifecycle.kind === "status" ? outbox.conditions.isIn(lifecycle.column, lifecycle.expired) : NEVER;
}

/**
 * The mapping names neither the status nor, for a row without one, null; or the row was withdrawn. All rows if no
 * column shows a state.
 */
export function unknown(outbox: StatedRow): SQL {
  const { lifecycle } = outbox.mapping;
  if (lifecycle.kind === "rules") return ruledStates(outbox, lifecycle).unknown;
  if (lifecycle.kind === "flag" && lifecycle.column.nullable)
    return any(sql`${outbox.column(lifecycle.column)} IS NULL`, grouped(all(notPublished(outbox), leftOver(outbox))));
  if (lifecycle.kind === "log") return lifecycle.native ? unpublished(told(outbox, lifecycle.native)) : ALWAYS;
  if (lifecycle.kind === "unknown" || lifecycle.kind === "untold") return ALWAYS;
  if (lifecycle.kind !== "status") return grouped(all(notPublished(outbox), leftOver(outbox)));
  const { pending, inFlight, failed: failing, published: sent, dead: over, expired: late } = lifecycle;
  const named = [...pending, ...inFlight, ...failing, ...sent, ...over, ...late];
  const strange = outbox.conditions.isNotIn(lifecycle.column, named);
  const withdrawn = any(markedAs(outbox, "withdrawn"), leftOver(outbox));
  return any(strange, grouped(all(openByWord(outbox, lifecycle), withdrawn)), doubted(outbox, lifecycle));
}

/**
 * Not published, not natively dead, status known: the unsent messages as far as an index can express it. The plain part
 * (`IS NULL`, status words) comes first and unwrapped so that a partial index matches.
 */
export function waiting(outbox: StatedRow): SQL {
  const { lifecycle } = outbox.mapping;
  if (lifecycle.kind === "rules") return ruledStates(outbox, lifecycle).waiting;
  const open = lifecycle.kind === "status" ? openByWord(outbox, lifecycle) : notPublished(outbox);
  const marked = any(markedAs(outbox, "dead"), markedAs(outbox, "withdrawn"), leftOver(outbox));
  return all(open, isNotTrue(marked), unspent(outbox));
}

export type Status = Extract<Lifecycle, { kind: "status" }>;

/** Unsent by the words of the status alone. */
function openByWord(outbox: StatedRow, { column, pending, inFlight, failed: failing }: Status): SQL {
  return outbox.conditions.isIn(column, [...pending, ...inFlight, ...failing]);
}

function sentByWord({ conditions }: StatedRow, { column, published: sent }: Status): SQL {
  return conditions.isIn(column, sent);
}

/** Published by its status, but another column shows that it was not, or that it is to be sent again. */
function doubted(outbox: StatedRow, lifecycle: Status): SQL {
  const marked = markedAs(outbox, "doubted");
  return marked === NEVER ? NEVER : grouped(all(sentByWord(outbox, lifecycle), marked));
}

/** Another column marks the row so. Each condition may be null for a null. */
function markedAs(outbox: StatedRow, kind: StatusMark["kind"]): SQL {
  const { lifecycle } = outbox.mapping;
  const marks = lifecycle.kind === "status" ? (lifecycle.marks ?? []) : [];
  const those = marks.filter((mark) => mark.kind === kind);
  return any(...those.map(({ holds }) => compileCondition(holds, outbox.conditions)));
}

/** The row was tried and has no next time, although a new row has one: it was given up or held back. */
function leftOver(outbox: StatedRow): SQL {
  const { availableAt, attempts } = outbox.mapping.columns;
  if (!availableAt?.nullIsOver || !attempts) return NEVER;
  return grouped(sql`${outbox.column(availableAt)} IS NULL AND ${outbox.conditions.attempts(attempts)} > 0`);
}

/** No attempt is left; NEVER if the number of attempts is not known. */
function spent(outbox: StatedRow): SQL {
  const { columns, deadAttempts, attemptsLimit } = outbox.mapping;
  if (!columns.attempts) return NEVER;
  const attempts = outbox.conditions.attempts(columns.attempts);
  const byAll = deadAttempts === null ? NEVER : sql`${attempts} >= ${sql.raw(String(deadAttempts))}`;
  return any(byAll, attemptsLimit ? isTrue(atLimit(attempts, outbox.column(attemptsLimit))) : NEVER);
}

function unspent(outbox: StatedRow): SQL {
  const { columns, deadAttempts, attemptsLimit } = outbox.mapping;
  if (!columns.attempts || deadAttempts === null || attemptsLimit) return isNotTrue(spent(outbox));
  return sql`${outbox.conditions.attempts(columns.attempts)} < ${sql.raw(String(deadAttempts))}`;
}

/** True if the table shows that an attempt of a waiting message failed. */
export function tellsFailures({ mapping }: Pick<StatedRow, "mapping">): boolean {
  const { lifecycle, columns } = mapping;
  // Nothing is written to a table whose progress is kept in the log.
  if (lifecycle.kind === "log") return false;
  if (lifecycle.kind === "rules") return lifecycle.states.failed !== undefined || countsFailures(lifecycle, columns);
  if (columns.attempts !== undefined) return true;
  if (lifecycle.kind !== "status") return mapping.errorMark !== undefined;
  return lifecycle.failed.length > 0 || (lifecycle.marks ?? []).some(({ kind }) => kind === "failed");
}

/** Waiting messages with a failed attempt by the table; NEVER if the table does not show it. */
export function failed(outbox: StatedRow): SQL {
  return all(waiting(outbox), any(failedByRule(outbox), failedByCount(outbox)));
}

/** The row shows a failure, by its status, its error or its library's rule. It may still be in another state. */
export function failedByRule(outbox: StatedRow): SQL {
  const { lifecycle } = outbox.mapping;
  if (lifecycle.kind === "rules") return ruledStates(outbox, lifecycle).failed;
  const { errorMark } = outbox.mapping;
  if (errorMark) return outbox.conditions.is(errorMark, "filled");
  if (lifecycle.kind !== "status") return NEVER;
  return any(outbox.conditions.isIn(lifecycle.column, lifecycle.failed), markedAs(outbox, "failed"));
}

function failedByCount(outbox: StatedRow): SQL {
  const { lifecycle, columns } = outbox.mapping;
  if (!columns.attempts || (lifecycle.kind === "rules" && !countsFailures(lifecycle, columns))) return NEVER;
  return all(sql`${outbox.conditions.attempts(columns.attempts)} > 0`, countIsFailure(outbox));
}

/** The count of attempts, where it is above 0, shows a failure. */
export function countIsFailure(outbox: StatedRow): SQL {
  const { columns, errorOfFirst } = outbox.mapping;
  if (!errorOfFirst || !columns.attempts) return ALWAYS;
  const further = sql`${outbox.conditions.attempts(columns.attempts)} > 1`;
  return any(further, isTrue(outbox.conditions.is(errorOfFirst, "filled")));
}

/**
 * Unsent by the table alone: not published, not natively dead, not expired, status known. Includes messages that are
 * dead by the store side.
 */
export function unsent(outbox: StatedRow): SQL {
  const { expiresAt } = outbox.mapping.columns;
  if (!expiresAt) return waiting(outbox);
  const isFuture = sql`coalesce(${outbox.conditions.isFuture(expiresAt, 0)}, true)`;
  return all(waiting(outbox), any(isFuture, neverExpires(outbox.conditions, expiresAt)));
}
