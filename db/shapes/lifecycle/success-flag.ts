import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { patterns } from "../words/role-patterns.ts";
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
