import type { MappedColumn } from "../../port/mapping.ts";
import type { Condition } from "../../port/table-rules.ts";
import { instantOf } from "./instant.ts";
import { type Item, textOf } from "./item.ts";

/**
 * Whether a condition is true of an item, at a time in ms. An absent attribute makes a comparison not true, as a null
 * does in SQL.
 */
export function isTrueOf(condition: Condition<MappedColumn>, item: Item, now: number): boolean {
  const isTrue = (one: Condition<MappedColumn>) => isTrueOf(one, item, now);
  const text = (column: MappedColumn) => textOf(item[column.name]);
  const number = (column: MappedColumn) => Number(text(column) ?? Number.NaN);
  const time = (column: MappedColumn, seconds = 0) =>
    Date.parse(instantOf(text(column), column.time) ?? "") + seconds * 1000;
  if ("always" in condition) return true;
  if ("all" in condition) return condition.all.every(isTrue);
  if ("any" in condition) return condition.any.some(isTrue);
  if ("not" in condition) return !isTrue(condition.not);
  if ("in" in condition) return condition.in.some((value) => String(value) === text(condition.column));
  if ("atLeast" in condition) return number(condition.column) >= condition.atLeast;
  if ("atLimit" in condition)
    return number(condition.atLimit) > 0 && number(condition.column) >= number(condition.atLimit);
  if ("isAfter" in condition) return time(condition.column) > time(condition.isAfter, condition.plusSeconds ?? 0);
  const { column, is } = condition;
  switch (is) {
    case "null":
      return text(column) === null;
    case "set":
      return text(column) !== null;
    case "filled":
      return (text(column) ?? "") !== "";
    case "true":
    case "false":
      return text(column) === is;
    case "past":
      return time(column, condition.plusSeconds) <= now;
    case "future":
      return time(column, condition.plusSeconds) > now;
  }
}
