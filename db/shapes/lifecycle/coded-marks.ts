import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { plainName } from "../columns/plain-name.ts";
import { isBlankAtFirst } from "../columns/unset-default.ts";
import { isWaitingName } from "../words/flag-names.ts";
import { wordsOf } from "../words/name-words.ts";
import { meaningOfFlag, NO_LETTERS } from "../words/status-words.ts";
import { isActiveName, isAwaitedName } from "./active-names.ts";
import { heldMarks, undatedClaims } from "./claim-marks.ts";
import { type CodedFlag, codedFlagOf } from "./coded-flag.ts";
import { computedDeaths, finalErrors } from "./final-errors.ts";
import { APPROVED, neededMarksOf } from "./needed-marks.ts";
import {
  type Columns,
  isNamed,
  kindOf,
  markOf,
  type RowMark,
  type RowMarkKind,
  rowMarksOf,
  toMapped,
  unused,
} from "./row-marks.ts";
import { defaultWordOf, shownWords } from "./status-lifecycle.ts";

/** Columns without a role that mark a row as given up, failed or withdrawn, flags of numbers and letters included. */
export function marksOf(table: CatalogTable, columns: Columns, zone: string): RowMark[] {
  const plain = [...rowMarksOf(table, columns, zone), ...neededMarksOf(table, columns, zone)];
  const read = new Set(plain.map(({ column }) => column.name));
  const others = unused(table, columns).filter(({ name }) => !read.has(name));
  const coded = others.flatMap((column) => codedMark(table, column, zone) ?? []);
  return [
    ...plain,
    ...coded,
    ...finalErrors(table, columns, zone),
    ...computedDeaths(table, columns, zone),
    ...heldMarks(table, columns, zone),
    ...undatedClaims(table, columns, zone),
    ...deniedFlags(table, columns, zone),
  ];
}

/**
 * `undelivered DEFAULT false`: a new row waits without it, so that true says that it was given up, also of a row that
 * was sent.
 */
function deniedFlags(table: CatalogTable, columns: Columns, zone: string): RowMark[] {
  return unused(table, columns)
    .filter(({ name, family, generated }) => family === "boolean" && !generated && isDeniedName(plainName(table, name)))
    .filter(({ defaultSql }) => /^\(?b?'?(false|0|f)\b/i.test(defaultSql ?? ""))
    .map((column) => ({ ...markOf("withdrawn", column, zone), flag: true }));
}

const isDeniedName = (name: string) =>
  /^(is|was)?(undelivered|unsent|unpublished|undispatched|notsent|notpublished|notdelivered)(flag)?$/.test(
    wordsOf(name)
      .map(({ text }) => text)
      .join(""),
  );

function codedMark(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  const name = plainName(table, column.name);
  const kind = kindOf(table, column);
  const isActive = isActiveName(name) || isWaitingName(name);
  const isApproval = isNamed(table, column, APPROVED);
  if (kind === null && !isActive && !isApproval) return null;
  const flag = codedFlagOf(table, column, toMapped(column, zone));
  if (!flag) return kind === null ? null : bareMark(table, column, zone);
  if (kind !== null) return endMark(kind, column, flag, zone);
  const begins = meaningOfFlag(defaultWordOf(table, column.name) ?? "");
  const isAwaited = begins === "pending" && isAwaitedName(name);
  return isApproval || isAwaited || begins === "published" ? takenAway(column, flag, zone) : null;
}

/**
 * `cancelled char(1)` of which nothing shows the letters, or that begins with a blank: what is neither empty nor a no
 * may say so.
 */
function bareMark(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  const isText = column.family === "text" || column.family === "compact";
  const isShown = column.hasDefault || shownWords(table, column.name).length > 0;
  if (!isText || column.generated || (isShown && !isBlankAtFirst(column))) return null;
  const mapped = toMapped(column, zone);
  return {
    kind: "withdrawn",
    column: mapped,
    holds: { all: [{ column: mapped, is: "filled" }, { not: { column: mapped, in: NO_LETTERS } }] },
    cleared: "null",
    marked: "null",
    says: `${column.name} has another text than one for no`,
    flag: true,
  };
}

/** A flag of which the table does not show both words is read, and never written. */
function endMark(kind: RowMarkKind, column: CatalogColumn, { isOn, on, off }: CodedFlag, zone: string): RowMark {
  return {
    kind: on && off ? kind : "withdrawn",
    column: toMapped(column, zone),
    holds: isOn,
    cleared: off ?? "null",
    marked: on ?? "null",
    says: on ? `${column.name} is ${said(on)}` : `${column.name} is not ${off ? said(off) : "empty"}`,
    flag: true,
  };
}

/** `is_active`, `pending` or `approved`: a row without it is not sent. */
function takenAway(column: CatalogColumn, { isOff, on, off }: CodedFlag, zone: string): RowMark {
  return {
    kind: "withdrawn",
    column: toMapped(column, zone),
    holds: isOff,
    cleared: on ?? "null",
    marked: off ?? "null",
    says: `${column.name} is ${off ? said(off) : "not set"}`,
  };
}

const said = (value: NonNullable<CodedFlag["on"]>) => ("word" in value ? value.word : value.number);
