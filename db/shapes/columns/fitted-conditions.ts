import type { CatalogColumn } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import type { Condition, NewValue } from "../../stores/port/table-rules.ts";
import { unsetDefaultOf } from "./unset-default.ts";

/**
 * A library's flag is a boolean in one version or database, and a number in another: its conditions and values in the
 * form of the table's own column.
 */
export function fitted(condition: Condition<MappedColumn>): Condition<MappedColumn> {
  if ("all" in condition) return { all: condition.all.map(fitted) };
  if ("any" in condition) return { any: condition.any.map(fitted) };
  if ("not" in condition) return { not: fitted(condition.not) };
  if ("in" in condition && isBoolean(condition.column)) {
    const is = condition.in.map((value) => ({
      column: condition.column,
      is: isOne(value) ? ("true" as const) : ("false" as const),
    }));
    return is.length === 1 && is[0] ? is[0] : { any: is };
  }
  if ("is" in condition && isNumber(condition.column)) {
    if (condition.is === "true") return { column: condition.column, in: [1] };
    if (condition.is === "false") return { column: condition.column, in: [0] };
  }
  return condition;
}

export function fittedValue(column: MappedColumn, to: NewValue): NewValue {
  if (isBoolean(column) && typeof to === "object" && "number" in to) return to.number === 0 ? "false" : "true";
  if (isNumber(column) && (to === "true" || to === "false")) return { number: to === "true" ? 1 : 0 };
  return to;
}

/** Postgres keeps the two apart; in MySQL a boolean is a number. */
const isBoolean = ({ type }: MappedColumn) => type === "boolean";
const isNumber = ({ type }: MappedColumn) => /^(smallint|integer|bigint|numeric)$/.test(type);
const isOne = (value: string | number) => ["1", "true", "t"].includes(String(value));

const WHOLE: readonly CatalogColumn["family"][] = ["smallint", "integer", "bigint", "decimal"];
const NO_WORDS: readonly CatalogColumn["family"][] = [...WHOLE, "boolean", "uuid", "json", "binary"];

/** Whether a condition can be asked of the table's columns, as they are typed, once it is fitted. */
export function suits(condition: Condition<string>, columnOf: (name: string) => CatalogColumn | undefined): boolean {
  if ("all" in condition) return condition.all.every((one) => suits(one, columnOf));
  if ("any" in condition) return condition.any.every((one) => suits(one, columnOf));
  if ("not" in condition) return suits(condition.not, columnOf);
  if (!("column" in condition)) return true;
  const column = columnOf(condition.column);
  if (column === undefined) return true;
  const { family } = column;
  if ("in" in condition) {
    if (family === "boolean") return condition.in.every((value) => /^([01]|t|f|true|false)$/.test(String(value)));
    const isCoded = condition.in.every((value) => typeof value === "number");
    return isCoded ? WHOLE.includes(family) : !NO_WORDS.includes(family) && holdsOne(column, condition.in);
  }
  if ("atLeast" in condition) return WHOLE.includes(family);
  if ("is" in condition && (condition.is === "true" || condition.is === "false"))
    return family === "boolean" || WHOLE.includes(family);
  if ("is" in condition && (condition.is === "null" || condition.is === "set")) return mayBeNull(column);
  return true;
}

/** `char(1)` has room for none of the words. */
function holdsOne({ type }: CatalogColumn, words: readonly (string | number)[]): boolean {
  const room = Number(/\((\d+)\)$/.exec(type)?.[1] ?? Number.POSITIVE_INFINITY);
  return words.length === 0 || words.some((word) => String(word).length <= room);
}

/**
 * What is never null says nothing by that, unless it is a count, nor does a time of which a new row has a placeholder.
 */
const mayBeNull = (column: CatalogColumn) =>
  (column.nullable || WHOLE.includes(column.family)) &&
  unsetDefaultOf(column) === null &&
  (column.unsetAs === undefined || column.family === "boolean");
