import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { plainName } from "../columns/plain-name.ts";
import { isRecordState } from "../columns/record-state.ts";
import { isOpenTime } from "../columns/unset-default.ts";
import { patterns } from "../words/role-patterns.ts";
import { isActiveName, isAliveName, isAwaitedName, isRetriedName } from "./active-names.ts";
import { type Columns, isNamed, type RowMark, setMark, toMapped, unused } from "./row-marks.ts";
import { defaultWordOf } from "./status-lifecycle.ts";

export const APPROVED = patterns("10 approved time", "10 approved | flag");

/**
 * Flags and times that a row needs to be sent: one without it is withdrawn, or waits for a person and not for a relay.
 */
export function neededMarksOf(table: CatalogTable, columns: Columns, zone: string): RowMark[] {
  return unused(table, columns).flatMap(
    (column) =>
      activeMark(table, column, zone) ?? approvalMark(table, column, zone) ?? recordMark(table, column, zone) ?? [],
  );
}

/** `record_state` with another code than a new row has. */
function recordMark(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  const first = isRecordState(table, column) ? defaultWordOf(table, column.name) : undefined;
  if (first === undefined || column.generated) return null;
  const mapped = toMapped(column, zone);
  const value = column.family === "smallint" ? Number(first) : first;
  return {
    kind: "withdrawn",
    column: mapped,
    holds: { all: [{ column: mapped, is: "set" }, { not: { column: mapped, in: [value] } }] },
    cleared: "null",
    marked: "null",
    says: `${column.name} is not ${first}, which a new row has`,
  };
}

/**
 * `is_active` or `retryable`, which a new row has, or `ready`, which it does not have yet: without it nobody sends the
 * row.
 */
function activeMark(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  const name = plainName(table, column.name);
  const isBare = !column.hasDefault && (column.nullable ? isRetriedName(name) : isAliveName(name));
  const isBegun = isBare || beginsTrue(table, column);
  const isAwaited = isFalseAtFirst(column) && isAwaitedName(name);
  if (column.family !== "boolean" || !isActiveName(name) || !(isBegun || isAwaited)) return null;
  const mapped = toMapped(column, zone);
  return {
    kind: "withdrawn",
    column: mapped,
    holds: isBegun ? { column: mapped, is: "false" } : { not: { column: mapped, is: "true" } },
    cleared: "true",
    marked: "false",
    says: `${column.name} is ${isBegun ? "false" : "not true"}`,
  };
}

/** `approved_at`, `approved`: a row without it waits for a person and not for a relay. */
function approvalMark(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  if (!isNamed(table, column, APPROVED)) return null;
  const mapped = toMapped(column, zone);
  const isFlag = column.family === "boolean";
  if (!isFlag && !isOpenTime(column)) return null;
  return {
    kind: "withdrawn",
    column: mapped,
    holds: { not: isFlag ? { column: mapped, is: "true" } : setMark(column, zone).holds },
    cleared: isFlag ? "true" : "now",
    marked: isFlag ? "false" : "null",
    says: `${column.name} is not ${isFlag ? "true" : "set"}`,
  };
}

const isFalseAtFirst = ({ defaultSql }: CatalogColumn) => /^\(?b?'?(false|0|f)'?\)?(?:::|$)/i.test(defaultSql ?? "");

const beginsTrue = ({ columns }: CatalogTable, { name }: CatalogColumn) =>
  /^\(?b?'?(true|1|t)'?\)?(?:::|$)/i.test(columns.find((one) => one.name === name)?.defaultSql ?? "");
