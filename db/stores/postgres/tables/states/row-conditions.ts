import { sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { holdsText } from "#db/stores/port/written-columns.ts";
import { any, atLimit, inlined, isNotTrue, NEVER } from "#db/stores/shared/states/conditions.ts";
import type { RowConditions } from "#db/stores/shared/states/row-conditions.ts";
import { attemptsValue, instantOf, type Row } from "../column-values.ts";

/** A document or an array of errors without one. */
const NO_LIST = sql`NOT IN ('', '[]', '{}', 'null')`;

/**
 * Conditions over the columns of a table that is not ours. Words of an enum or numbers compare in the column's own
 * type.
 */
export function conditionsOver(row: Row): RowConditions {
  const isIn: RowConditions["isIn"] = (column, values) => {
    const words = values.filter((value) => value !== null);
    const named = words.length === 0 ? NEVER : sql`${row.column(column)} IN ${words}`.inlineParams();
    return words.length === values.length ? named : any(sql`${row.column(column)} IS NULL`, named);
  };
  const later = (column: MappedColumn, seconds: number | MappedColumn) => {
    const instant = instantOf(row, column);
    if (seconds === 0) return instant;
    return sql`${instant} + make_interval(secs => ${typeof seconds === "number" ? inlined(seconds) : row.column(seconds)})`;
  };
  return {
    is: (column, what) => {
      const value = row.column(column);
      if (what === "null") return sql`${value} IS NULL`;
      if (what === "filled") return sql`coalesce(${value}::text, '') ${holdsText(column) ? sql`<> ''` : NO_LIST}`;
      if (what === "set") return sql`${value} IS NOT NULL`;
      return what === "true" ? value : sql`NOT ${value}`;
    },
    isIn,
    isNotIn: (column, words) => isNotTrue(isIn(column, words)),
    atLeast: (column, number) => sql`${row.column(column)} >= ${inlined(number)}`,
    atLimit: (column, limit) => atLimit(attemptsValue(row, column), row.column(limit)),
    isPast: (column, seconds) => sql`${later(column, seconds)} <= clock_timestamp()`,
    isFuture: (column, seconds) => sql`${later(column, seconds)} > clock_timestamp()`,
    isAfter: (column, other, seconds) => sql`${instantOf(row, column)} > ${later(other, seconds)}`,
    attempts: (column) => attemptsValue(row, column),
    deadline: (column) => instantOf(row, column),
    later,
  };
}
