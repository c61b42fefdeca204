import type { SQL } from "drizzle-orm";
import type { MappedColumn } from "../../port/mapping.ts";
import type { ClaimRule, Condition, StateRules } from "../../port/table-rules.ts";
import { ALWAYS, all, any, grouped, isNotTrue, isTrue, NEVER } from "./conditions.ts";

/** An engine's SQL conditions over one column. Each may be null for a null. */
export interface ColumnConditions {
  is(column: MappedColumn, what: "null" | "set" | "true" | "false" | "filled"): SQL;
  /** One of the values; a null among them is a row without one. */
  isIn(column: MappedColumn, values: readonly (string | number | null)[]): SQL;
  atLeast(column: MappedColumn, number: number): SQL;
  atLimit(column: MappedColumn, limit: MappedColumn): SQL;
  /** The column's time, later by so many seconds or by those in another column, has come. */
  isPast(column: MappedColumn, plusSeconds: number | MappedColumn): SQL;
  isFuture(column: MappedColumn, plusSeconds: number | MappedColumn): SQL;
  isAfter(column: MappedColumn, other: MappedColumn, plusSeconds: number): SQL;
}

/** A condition as SQL over one row. */
export function compileCondition(condition: Condition<MappedColumn>, of: ColumnConditions): SQL {
  if ("always" in condition) return ALWAYS;
  if ("all" in condition) return all(...condition.all.map((one) => compileCondition(one, of)));
  if ("any" in condition) return any(...condition.any.map((one) => compileCondition(one, of)));
  if ("not" in condition) return isNotTrue(grouped(compileCondition(condition.not, of)));
  if ("in" in condition) return of.isIn(condition.column, condition.in);
  if ("atLeast" in condition) return of.atLeast(condition.column, condition.atLeast);
  if ("atLimit" in condition) return of.atLimit(condition.column, condition.atLimit);
  if ("isAfter" in condition) return of.isAfter(condition.column, condition.isAfter, condition.plusSeconds ?? 0);
  if (condition.is === "past") return of.isPast(condition.column, condition.plusSeconds ?? 0);
  if (condition.is === "future") return of.isFuture(condition.column, condition.plusSeconds ?? 0);
  return of.is(condition.column, condition.is);
}

/** The conditions of a library's table that lists, counts and actions need. NEVER without a rule. */
export interface RuledStates {
  waiting: SQL;
  dead: SQL;
  published: SQL;
  expired: SQL;
  unknown: SQL;
  failed: SQL;
  inFlight: SQL;
  claimExpired: SQL;
  claimUndated: SQL;
}

export function compileStates(states: StateRules<MappedColumn>, of: ColumnConditions): RuledStates {
  const compile = (condition: Condition<MappedColumn> | undefined) =>
    condition ? compileCondition(condition, of) : NEVER;
  const [waiting, dead, published, expired] = [states.waiting, states.dead, states.published, states.expired].map(
    compile,
  ) as [SQL, SQL, SQL, SQL];
  return {
    waiting,
    dead,
    published,
    expired,
    unknown: isNotTrue(any(...[waiting, dead, published, expired].map(grouped))),
    failed: compile(states.failed),
    ...claimStates(states.claim, of),
  };
}

/** NEVER for everything without a claim. */
export function claimStates(claim: ClaimRule<MappedColumn> | undefined, of: ColumnConditions) {
  if (!claim) return { inFlight: NEVER, claimExpired: NEVER, claimUndated: NEVER };
  const marked = compileCondition(claim.marked, of);
  if (!claim.ends)
    return { inFlight: isTrue(grouped(marked)), claimExpired: NEVER, claimUndated: isTrue(grouped(marked)) };
  const { column, plusSeconds = 0, plusSecondsOf, nullIsEndless, lapses } = claim.ends;
  const later = plusSecondsOf ?? plusSeconds;
  const endless = nullIsEndless ? of.is(column, "null") : NEVER;
  return {
    inFlight: isTrue(grouped(all(marked, any(of.isFuture(column, later), endless)))),
    claimExpired: lapses ? NEVER : isTrue(grouped(all(marked, of.isPast(column, later)))),
    claimUndated: isTrue(grouped(all(marked, endless))),
  };
}
