import { sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { holdsText } from "#db/stores/port/written-columns.ts";
import { atLimit, inlined } from "#db/stores/shared/states/conditions.ts";
import type { RowConditions } from "#db/stores/shared/states/row-conditions.ts";
import { attemptsValue, deadlineOf, instantOf, NOW, type Row, textOf } from "../column-values.ts";
import { statusIn, statusNotIn } from "./status-words.ts";

/** Condition on a text of errors that leaves out empty documents. */
const NO_LIST = sql`NOT IN ('', '[]', '{}', 'null')`;

/** Conditions over the columns of a table that is not ours. A time is compared bare, so that an index serves it. */
export function conditionsOver(row: Row): RowConditions {
  const interval = (seconds: number | MappedColumn) =>
    sql`INTERVAL ${typeof seconds === "number" ? inlined(seconds) : row.column(seconds)} SECOND`;
  const earlier = (seconds: number | MappedColumn) => (seconds === 0 ? NOW : sql`${NOW} - ${interval(seconds)}`);
  const later = (column: MappedColumn, seconds: number | MappedColumn) =>
    sql`${instantOf(row, column)} + ${interval(seconds)}`;
  return {
    is: (column, what) => {
      const value = row.column(column);
      if (what === "null") return sql`${value} IS NULL`;
      if (what === "filled" && !holdsText(column)) return sql`coalesce(${textOf(row, column)}, '') ${NO_LIST}`;
      if (what === "filled") return sql`coalesce(${value}, '') <> ''`;
      if (what === "set") return sql`${value} IS NOT NULL`;
      return what === "true" ? sql`${value} <> 0` : sql`${value} = 0`;
    },
    isIn: (column, values) =>
      statusIn(
        row,
        column,
        values.map((value) => (value === null ? null : String(value))),
      ),
    isNotIn: (column, words) => statusNotIn(row, column, words),
    atLeast: (column, number) => sql`${row.column(column)} >= ${inlined(number)}`,
    atLimit: (column, limit) => atLimit(attemptsValue(row, column), row.column(limit)),
    isPast: (column, seconds) => sql`${deadlineOf(row, column)} <= ${earlier(seconds)}`,
    isFuture: (column, seconds) => sql`${deadlineOf(row, column)} > ${earlier(seconds)}`,
    isAfter: (column, other, seconds) => sql`${instantOf(row, column)} > ${later(other, seconds)}`,
    attempts: (column) => attemptsValue(row, column),
    deadline: (column) => deadlineOf(row, column),
    later,
  };
}
