import { sql } from "drizzle-orm";
import type { Lifecycle, MappedColumn } from "#db/stores/port/mapping.ts";
import { holdsText } from "#db/stores/port/written-columns.ts";
import { type ColumnConditions, compileStates, type RuledStates } from "#db/stores/shared/compile-condition.ts";
import { atLimit } from "#db/stores/shared/conditions.ts";
import { attemptsValue, deadlineOf, inlined, instantOf, NOW, textOf } from "../column-values.ts";
import type { OutboxTable } from "../outbox-table.ts";
import { statusIn } from "./status-words.ts";

type Of = Pick<OutboxTable, "column">;

/** A document without an error. */
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
export function conditionsOver(outbox: Of): ColumnConditions {
  const earlier = (seconds: number | MappedColumn) => {
    if (seconds === 0) return NOW;
    return sql`${NOW} - INTERVAL ${typeof seconds === "number" ? inlined(seconds) : outbox.column(seconds)} SECOND`;
  };
  return {
    is: (column, what) => {
      const value = outbox.column(column);
      if (what === "null") return sql`${value} IS NULL`;
      if (what === "filled" && !holdsText(column)) return sql`coalesce(${textOf(outbox, column)}, '') ${NO_LIST}`;
      if (what === "filled") return sql`coalesce(${value}, '') <> ''`;
      if (what === "set") return sql`${value} IS NOT NULL`;
      return what === "true" ? sql`${value} <> 0` : sql`${value} = 0`;
    },
    isIn: (column, values) => statusIn(outbox, column, values.map(String)),
    atLeast: (column, number) => sql`${outbox.column(column)} >= ${inlined(number)}`,
    atLimit: (column, limit) => atLimit(attemptsValue(outbox, column), outbox.column(limit)),
    isPast: (column, seconds) => sql`${deadlineOf(outbox, column)} <= ${earlier(seconds)}`,
    isFuture: (column, seconds) => sql`${deadlineOf(outbox, column)} > ${earlier(seconds)}`,
    isAfter: (column, other, seconds) =>
      sql`${instantOf(outbox, column)} > ${instantOf(outbox, other)} + INTERVAL ${inlined(seconds)} SECOND`,
  };
}
