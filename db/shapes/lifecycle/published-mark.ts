import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn, MarkedLifecycle } from "../../stores/port/mapping.ts";
import type { Condition } from "../../stores/port/table-rules.ts";
import { plainName } from "../columns/plain-name.ts";
import { unsetOf } from "../columns/unset-default.ts";
import { isWaitingName } from "../words/flag-names.ts";

/** The time or flag that says that a row was published. `unset`: what a row has that was not, where that is no null. */
export type PublishedMark = Extract<MarkedLifecycle, { kind: "timestamp" | "flag" }> & {
  unset?: string;
  turned?: true;
};

export function withUnset(lifecycle: PublishedMark, table: CatalogTable): PublishedMark {
  const column = table.columns.find(({ name }) => name === lifecycle.column.name);
  const unset = column ? unsetOf(column) : null;
  const turned = lifecycle.kind === "flag" && isWaitingName(plainName(table, lifecycle.column.name));
  return { ...lifecycle, ...(unset === null ? {} : { unset }), ...(turned ? { turned } : {}) };
}

export const isNumber = (unset: string) => /^-?\d+$/.test(unset);

export function markedBy(mark: PublishedMark): Condition<MappedColumn> {
  const { column, unset } = mark;
  if (unset === undefined) return { column, is: markedIs(mark) };
  if (isNumber(unset)) return { column, atLeast: 1 };
  return { all: [{ column, is: "set" }, { not: { column, in: [unset] } }] };
}

export function openBy(mark: PublishedMark): Condition<MappedColumn> {
  const { column, unset } = mark;
  if (unset === undefined) return { column, is: openIs(mark) };
  const isUnset = { column, in: [isNumber(unset) ? Number(unset) : unset] };
  return column.nullable ? { any: [isUnset, { column, is: "null" }] } : isUnset;
}

/** The flag is true while the row waits. */
export const isTurnedRound = ({ turned }: PublishedMark) => turned === true;
const flagOf = (mark: PublishedMark, isSent: boolean) =>
  isTurnedRound(mark) === isSent ? ("false" as const) : ("true" as const);
export const markedIs = (mark: PublishedMark) => (mark.kind === "flag" ? flagOf(mark, true) : ("set" as const));
export const openIs = (mark: PublishedMark) => (mark.kind === "flag" ? flagOf(mark, false) : ("null" as const));

/**
 * What a published and an open row have in a time or a flag; null of a time that is never null and has no value for
 * "not yet".
 */
export function publishedBy(table: CatalogTable, column: MappedColumn) {
  const isFlag = table.columns.some(({ name, family }) => name === column.name && family === "boolean");
  const mark = withUnset({ kind: isFlag ? "flag" : "timestamp", column }, table);
  const isRead = isFlag || (column.time !== undefined && (column.nullable || mark.unset !== undefined));
  return isRead ? { marked: markedBy(mark), open: openBy(mark) } : null;
}
