import { sql } from "drizzle-orm";
import type { Lifecycle, MappedColumn } from "#db/stores/port/mapping.ts";
import { holdsText } from "#db/stores/port/written-columns.ts";
import { type ColumnConditions, compileStates, type RuledStates } from "#db/stores/shared/compile-condition.ts";
import { atLimit, NEVER } from "#db/stores/shared/conditions.ts";
import { attemptsValue, inlined, instantOf } from "../column-values.ts";
import type { OutboxTable } from "../outbox-table.ts";

type Of = Pick<OutboxTable, "column">;

/** A document or an array of errors without one. */
const NO_LIST = sql`NOT IN ('', '[]', '{}', 'null')`;

type Rules = Extract<Lifecycle, { kind: "rules" }>;

const known = new WeakMap<Of, RuledStates>();

/** The states of a library's table. Cached. */
export function ruledStates(outbox: Of, { states }: Rules): RuledStates {
  const made = known.get(outbox) ?? compileStates(states, conditionsOver(outbox));
  known.set(outbox, made);
  return made;
}

/** Conditions over the columns of a table that is not ours. */
export function conditionsOver(row: Of): ColumnConditions {
  const later = (seconds: number | MappedColumn) => {
    if (seconds === 0) return sql``;
    return sql` + make_interval(secs => ${typeof seconds === "number" ? inlined(seconds) : row.column(seconds)})`;
  };
  return {
    is: (column, what) => {
      const value = row.column(column);
      if (what === "null") return sql`${value} IS NULL`;
      if (what === "filled") return sql`coalesce(${value}::text, '') ${holdsText(column) ? sql`<> ''` : NO_LIST}`;
      if (what === "set") return sql`${value} IS NOT NULL`;
      return what === "true" ? value : sql`NOT ${value}`;
    },
    isIn: (column, values) =>
      values.length === 0 ? NEVER : sql`${row.column(column)} IN ${[...values]}`.inlineParams(),
    atLeast: (column, number) => sql`${row.column(column)} >= ${inlined(number)}`,
    atLimit: (column, limit) => atLimit(attemptsValue(row, column), row.column(limit)),
    isPast: (column, seconds) => sql`${instantOf(row, column)}${later(seconds)} <= clock_timestamp()`,
    isFuture: (column, seconds) => sql`${instantOf(row, column)}${later(seconds)} > clock_timestamp()`,
    isAfter: (column, other, seconds) => sql`${instantOf(row, column)} > ${instantOf(row, other)}${later(seconds)}`,
  };
}
