import type { CatalogColumn } from "../../stores/port/catalog.ts";
import type { TypeFamily } from "../../stores/port/type-family.ts";
import { wordsOf } from "../words/name-words.ts";
import { saysSendLimit } from "./send-limit.ts";
import { isBareTime, saysTime } from "./time-encoding.ts";

const NUMBERS: readonly TypeFamily[] = ["bigint", "integer"];
const TIMES: readonly TypeFamily[] = ["instant", "datetime"];
const MAY_BE_TIMES: readonly TypeFamily[] = [...TIMES, ...NUMBERS];
/** Of dates such as 20260131 too. */
const COUNTED: readonly TypeFamily[] = [...NUMBERS, "decimal"];

/**
 * The placeholder that a new row has in a time of what is done with it later, by the column's default: 0, infinity or
 * any fixed time. Nothing happened at that time, so a row that has it waits. Null without a default, or with any other.
 */
export function unsetDefaultOf({ name, family, defaultSql, holdsTimes }: CatalogColumn): string | null {
  const literal = /^\(?'([^']+)'\)?(?:::|$)/.exec(defaultSql ?? "")?.[1];
  if (COUNTED.includes(family)) {
    // `sent int DEFAULT 0` is a flag or a code, unless its values are times.
    const isTime = holdsTimes || saysSendLimit(name) || wordsOf(name).some(({ concepts }) => concepts.includes("time"));
    if (!isTime) return null;
    const number = literal ?? /^\(?(-?\d+)\)?(?:::|$)/.exec(defaultSql ?? "")?.[1];
    return number !== undefined && /^(?:0+|-\d+)$/.test(number) ? String(Number(number)) : null;
  }
  if (!TIMES.includes(family) || literal === undefined) return null;
  return /^(?:-?infinity$|epoch$|\d{4,6}-)/.test(literal) ? literal : null;
}

/**
 * The same of a column that a person has named as the published mark: a number that is never null has 0 for "not yet",
 * because something must say it.
 */
export function unsetOf(column: CatalogColumn): string | null {
  const isZeroAtFirst = !column.hasDefault || /^\(?'?0+'?\)?(?:::|$)/.test(column.defaultSql ?? "");
  const isBareNumber = NUMBERS.includes(column.family) && !column.nullable && isZeroAtFirst;
  return placeholderOf(column) ?? (isBareNumber ? "0" : null);
}

/** A time that is set in every row, and nothing says which of its values is none. */
export function isAlwaysSet(column: CatalogColumn): boolean {
  return TIMES.includes(column.family) && !column.nullable && placeholderOf(column) === null;
}

/**
 * True if each new row has it by the column's default: the current time (`published_at DEFAULT now()`), or true of a
 * flag. What a new row has says nothing of what was done with it.
 */
export function isSetAtFirst({ family, defaultSql }: Pick<CatalogColumn, "family" | "defaultSql">): boolean {
  if (defaultSql === null) return false;
  if (family === "boolean") return /^\(?b?'?(true|1|t)'?\)?(?:::|$)/i.test(defaultSql);
  return TIMES.includes(family) && NOW.test(defaultSql);
}

const NOW = /\b(now|current_timestamp|localtimestamp|(clock|statement|transaction)_timestamp|utc_timestamp|sysdate)\b/i;

/** A new row has a text of nothing, or of blanks: `loevm char(1) DEFAULT ' '`. */
export const isBlankAtFirst = ({ defaultSql }: Pick<CatalogColumn, "defaultSql">): boolean =>
  /^\(?' *'/.test(defaultSql ?? "");

/** A new row has no text there. */
export const isEmptyText = (column: CatalogColumn): boolean =>
  (column.nullable && !column.hasDefault) || isBlankAtFirst(column);

/** A time in any form that a new row does not have. */
export function isOpenTime(column: CatalogColumn): boolean {
  const { name, family, nullable, hasDefault, generated } = column;
  if (generated) return false;
  if (family === "text") return isEmptyText(column) && saysTime(name);
  const isNamed = ["bigint", "integer", "compact"].includes(family) && saysTime(name);
  const isTime = TIMES.includes(family) || isBareTime(column) || isNamed;
  return isTime && ((nullable && !hasDefault) || placeholderOf(column) !== null);
}

/** The value that rows were found to have is the default's. */
export function isUnsetDefault(column: CatalogColumn, value: string): boolean {
  const unset = unsetDefaultOf(column);
  if (unset === null) return false;
  return NUMBERS.includes(column.family) ? Number(value) === Number(unset) : value.slice(0, 10) === unset.slice(0, 10);
}

/** A new row has an empty text. */
export const isEmptyAtFirst = ({ defaultSql }: Pick<CatalogColumn, "defaultSql">): boolean =>
  /^\(?''/.test(defaultSql ?? "");

/** What a row has in a time of its end that has not come, where it is no null: by the default, or as its rows show. */
export const placeholderOf = (column: CatalogColumn): string | null =>
  unsetDefaultOf(column) ??
  (column.nullable || !MAY_BE_TIMES.includes(column.family) ? null : (column.unsetAs ?? null));
