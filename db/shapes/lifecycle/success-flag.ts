import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import type { Condition } from "../../stores/port/table-rules.ts";
import { patterns } from "../words/role-patterns.ts";
import { codedFlagOf } from "./coded-flag.ts";
import { type Columns, isNamed, toMapped, unused } from "./row-marks.ts";

export const SUCCESS = patterns("10 success | flag send processed published sent");

/** The flag that says how an attempt ended. `isFalseAtFirst`: a new row has false there, before any attempt. */
export interface SuccessFlag {
  column: MappedColumn;
  isFalseAtFirst: boolean;
}

export function successFlagOf(table: CatalogTable, columns: Columns, zone: string): SuccessFlag | null {
  const found = unused(table, columns).find((column) => column.family === "boolean" && isNamed(table, column, SUCCESS));
  if (!found) return null;
  const { nullable, defaultSql, hasDefault } = found;
  const isGivenFalse = /^\(?b?'?(false|0|f)'?\)?(?:::|$)/i.test(defaultSql ?? "");
  return { column: toMapped(found, zone), isFalseAtFirst: isGivenFalse || (!nullable && !hasDefault) };
}

/** What a row has whose processing ended without success: by a boolean, a number of 0 and 1, or letters. */
export function withoutSuccess(
  table: CatalogTable,
  columns: Columns,
  zone: string,
): { column: MappedColumn; holds: Condition<MappedColumn> } | null {
  const flag = successFlagOf(table, columns, zone);
  if (flag) return { column: flag.column, holds: { column: flag.column, is: "false" } };
  for (const found of unused(table, columns).filter((one) => isNamed(table, one, SUCCESS))) {
    const column = toMapped(found, zone);
    const coded = codedFlagOf(table, found, column);
    if (coded) return { column, holds: { all: [{ column, is: "set" }, { not: coded.isOn }] } };
  }
  return null;
}
