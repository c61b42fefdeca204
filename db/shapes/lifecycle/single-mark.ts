import type { CatalogTable } from "../../stores/port/catalog.ts";
import { marksOf } from "./coded-marks.ts";
import { leftError } from "./left-errors.ts";
import type { FoundLifecycle } from "./lifecycle.ts";
import { flagBesideTime, otherDestinations } from "./other-marks.ts";
import type { Columns } from "./row-marks.ts";
import { successFlagOf } from "./success-flag.ts";

/**
 * Where the engine reads a row's state from one column alone, other columns that say that a row was given up, withdrawn
 * or sent elsewhere leave every state unknown until a person names the mark.
 */
export function withOneMark(
  table: CatalogTable,
  columns: Columns,
  found: FoundLifecycle,
  zone: string,
): FoundLifecycle {
  const { lifecycle } = found;
  if (!table.singleMark || !("column" in lifecycle)) return found;
  const used = lifecycle.kind === "status" ? { ...columns, status: lifecycle.column } : columns;
  const isStatus = lifecycle.kind === "status";
  const success = isStatus ? null : successFlagOf(table, used, zone);
  const flag = isStatus ? null : flagBesideTime(table, used, zone);
  const error = isStatus ? null : leftError(lifecycle.column, used, false);
  const beside = [
    ...marksOf(table, used, zone).map(({ column }) => column),
    ...(isStatus ? [] : otherDestinations(table, used, zone)),
    ...[success, flag, error].flatMap((one) => (one ? [one.column] : [])),
  ];
  const names = [...new Set(beside.map(({ name }) => name))].join(", ");
  if (names === "") return found;
  const mark = lifecycle.column.name;
  const missing = `Here the state of ${table.schema}.${table.name} is read from one attribute, and beside ${mark} there is ${names}, which may say that an item is not to be sent. Name ${mark} under columns.${isStatus ? "status, and its words under lifecycle," : "publishedAt"} if it alone decides.`;
  return { lifecycle: { kind: "unknown" }, missing };
}
