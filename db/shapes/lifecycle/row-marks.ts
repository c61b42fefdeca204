import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { ColumnRole, MappedColumn } from "../../stores/port/mapping.ts";
import type { Condition, NewValue } from "../../stores/port/table-rules.ts";
import { plainName } from "../columns/plain-name.ts";
import { isBareTime, saysTime, timeEncodingOf } from "../columns/time-encoding.ts";
import { isBlankAtFirst, isEmptyText, placeholderOf } from "../columns/unset-default.ts";
import { matchWords } from "../words/match-words.ts";
import { wordsOf } from "../words/name-words.ts";
import { patterns, ROLE_PATTERNS } from "../words/role-patterns.ts";
import { isSpentName } from "./active-names.ts";
import { isNumber, markedBy } from "./published-mark.ts";
import { defaultNumberOf, defaultWordOf } from "./status-lifecycle.ts";

/** What a mark beside the published one says: given up, failed once, or that a person or a program withdrew the row. */
export type RowMarkKind = "dead" | "failed" | "withdrawn";

export interface RowMark {
  kind: RowMarkKind;
  column: MappedColumn;
  holds: Condition<MappedColumn>;
  /** What a new row has. */
  cleared: NewValue;
  /** What a row has that is marked now. */
  marked: NewValue;
  /** Completes "when …". */
  says: string;
  /** Of attempts that are counted down: fewer are left than a new row has, so that one has failed. */
  failed?: Condition<MappedColumn>;
  /** It is a count of attempts, from a first one that a new row has. */
  counts?: true;
  /** It is a flag, also beside a row that was sent. */
  flag?: true;
  /** It is the reason why a row was given up: where that has a mark of its own, a retry empties both. */
  ofDeath?: true;
}

export type Columns = Partial<Record<ColumnRole, MappedColumn>>;

const MARK_PATTERNS: Readonly<Record<RowMarkKind, ReturnType<typeof patterns>>> = {
  dead: patterns(
    "10 dead | letter time flag send publication",
    "9.8 attempt dead | time flag",
    "9 failed dead | time flag",
    "9.5 failed final | time flag",
    "9.5 error final | time flag",
    "9 error dead | time flag",
  ),
  failed: patterns("10 failed | last time flag send attempt", "9 error | last time flag send attempt"),
  withdrawn: patterns("10 withdrawn | time flag send publication", "9 not send | flag"),
};
const REASON_OF_DEATH = patterns(
  "10 dead reason | letter",
  "9 failure reason final",
  "9 dead error | letter",
  "9 dead detail | letter",
);
const REASON = [
  ...REASON_OF_DEATH,
  ...patterns("10 withdrawn reason", "10 withdrawal reason | filler", "9 withdrawal detail"),
];
const WITHDRAWN_BY = patterns(
  "10 withdrawn by | id",
  "10 withdrawn toward | id",
  "9 withdrawn filler | id",
  "9 withdrawn id",
  "9 withdrawn code",
  "9 withdrawal id",
  "9 withdrawal code",
  "9 withdrawn reason id",
  "9 withdrawal reason id",
  "9 withdrawn type id",
  "9 dead id | letter",
  "9 dead code | letter",
);
const LIMIT = patterns(
  "10 limit attempt | count",
  "10 limit failed | count",
  "9 limit error | count",
  "9 limit send | count",
);
const REMAINING = patterns("10 remaining attempt | count");
const TIMES: readonly string[] = ["instant", "datetime", "bigint", "integer", "compact"];
const NUMBERS: readonly string[] = ["smallint", "integer", "bigint", "decimal"];

/** Booleans, times and counts without a role that mark a row as given up, failed or withdrawn. */
export function rowMarksOf(table: CatalogTable, columns: Columns, zone: string): RowMark[] {
  return unused(table, columns).flatMap((column) => {
    const counted =
      spentMark(table, column, zone) ??
      triedMark(table, column, zone) ??
      reasonMark(table, column, zone) ??
      withdrawnByMark(table, column, zone);
    if (counted) return [counted];
    const kind = kindOf(table, column);
    // Nothing is written into a time whose form is not read.
    const said = isBareTime(column) ? "withdrawn" : kind;
    return kind !== null && said !== null && fits(column, kind, columns) ? [markOf(said, column, zone)] : [];
  });
}

/** Times of a failure that a retry empties, because the relay's query may ask for rows without one. */
export function failedTimesOf(table: CatalogTable, columns: Columns, zone: string): RowMark[] {
  return unused(table, columns)
    .filter((column) => isNamed(table, column, MARK_PATTERNS.failed) && column.family !== "boolean")
    .filter((column) => fits(column, "failed", {}))
    .map((column) => markOf("failed", column, zone));
}

/** The column of the row's own greatest number of attempts. */
export function attemptsLimitOf(table: CatalogTable, columns: Columns, zone: string): MappedColumn | null {
  if (!columns.attempts) return null;
  const found = unused(table, columns).find(
    (column) => NUMBERS.includes(column.family) && isNamed(table, column, LIMIT),
  );
  return found ? toMapped(found, zone) : null;
}

export function unused(table: CatalogTable, columns: Columns): CatalogColumn[] {
  const taken = new Set(Object.values(columns).map(({ name }) => name));
  return table.columns.filter(({ name }) => !taken.has(name));
}

/** True if a name, as its table's columns are called, fits one of the patterns. */
export function isNamed(
  table: Pick<CatalogTable, "columns">,
  { name }: Pick<CatalogColumn, "name">,
  wanted: ReturnType<typeof patterns>,
): boolean {
  const words = wordsOf(plainName(table, name));
  return wanted.some((pattern) => matchWords(words, pattern) !== null);
}

/** Attempts counted down, none left. Without a number to count from nothing is written: the row is only not sent. */
function spentMark(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  if (!NUMBERS.includes(column.family) || !isNamed(table, column, REMAINING)) return null;
  const from = defaultNumberOf(table, column.name);
  const mapped = toMapped(column, zone);
  if (from === null)
    return {
      kind: "withdrawn",
      column: mapped,
      holds: { all: [{ column: mapped, is: "set" }, { not: { column: mapped, atLeast: 1 } }] },
      cleared: "null",
      marked: "null",
      says: `${column.name} is 0 or less`,
    };
  if (from < 1) return null;
  return {
    kind: "dead",
    column: mapped,
    holds: { all: [{ column: mapped, is: "set" }, { not: { column: mapped, atLeast: 1 } }] },
    cleared: { number: from },
    marked: { number: 0 },
    says: `${column.name} is 0 or less`,
    failed: { all: [{ column: mapped, is: "set" }, { not: { column: mapped, atLeast: from } }] },
  };
}

/** Attempts whose count begins with the first: a row has failed once there are more than a new one has. */
function triedMark(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  const from = firstAttemptOf(table, column);
  if (from === null) return null;
  const mapped = toMapped(column, zone);
  // A count that begins higher may go down, so any other number is ambiguous.
  if (from > 1)
    return {
      kind: "withdrawn",
      column: mapped,
      holds: { not: { column: mapped, in: [from] } },
      cleared: { number: from },
      marked: { number: 0 },
      says: `${column.name} is not ${from}, which a new row has`,
      counts: true,
    };
  return {
    kind: "failed",
    column: mapped,
    holds: { column: mapped, atLeast: from + 1 },
    cleared: { number: from },
    marked: { number: from + 1 },
    says: `${column.name} is more than ${from}, which a new row has`,
    counts: true,
  };
}

/** The number of a new row's first attempt, where a count of attempts does not begin with 0; null otherwise. */
export function firstAttemptOf(table: CatalogTable, column: CatalogColumn): number | null {
  if (!NUMBERS.includes(column.family) || !isNamed(table, column, ROLE_PATTERNS.attempts)) return null;
  const from = defaultNumberOf(table, column.name);
  return from !== null && from >= 1 ? from : null;
}

/** `quarantine_reason`: a row that has a text there was given up or withdrawn, whatever else says so. */
function reasonMark(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  if (column.family !== "text" || !isEmptyText(column) || !isNamed(table, column, REASON)) return null;
  const mapped = toMapped(column, zone);
  const holds = { column: mapped, is: "filled" as const };
  return {
    kind: "withdrawn",
    column: mapped,
    holds,
    cleared: column.nullable ? "null" : { word: "" },
    marked: "null",
    says: `${column.name} has a text`,
    ...(isNamed(table, column, REASON_OF_DEATH) ? { ofDeath: true as const } : {}),
  };
}

/** `superseded_by`, `cancelled_by`: a row that has one there was withdrawn, by a person or in favour of another row. */
function withdrawnByMark(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  const none = NUMBERS.includes(column.family) ? defaultNumberOf(table, column.name) : null;
  if (none !== null && isNamed(table, column, WITHDRAWN_BY)) return withdrawnUnlike(none, toMapped(column, zone));
  const isWho = ["text", "uuid", "smallint", "integer", "bigint"].includes(column.family);
  if (!isWho || !isNamed(table, column, WITHDRAWN_BY)) return null;
  const mark = markOf("withdrawn", column, zone);
  const nobody = column.family === "uuid" ? defaultWordOf(table, column.name) : undefined;
  if (nobody !== undefined) return { ...mark, ...unlike(mark.column, nobody) };
  if (column.nullable && !column.hasDefault) return mark;
  if (!isBlankAtFirst(column)) return null;
  return { ...mark, holds: { column: mark.column, is: "filled" }, says: `${column.name} has a text` };
}

/** `exclude_code DEFAULT 0`. */
const withdrawnUnlike = (none: number, column: MappedColumn): RowMark => ({
  kind: "withdrawn",
  column,
  ...unlike(column, none),
  cleared: { number: none },
  marked: "null",
});

const unlike = (column: MappedColumn, none: string | number) => ({
  holds: { all: [{ column, is: "set" as const }, { not: { column, in: [none] } }] },
  says: `${column.name} is set and not ${none}`,
});

export function markOf(kind: RowMarkKind, column: CatalogColumn, zone: string): RowMark {
  const mapped = toMapped(column, zone);
  const unset = placeholderOf(column);
  if (unset !== null) return markUnlike(kind, mapped, unset);
  const isFlag = column.family === "boolean";
  return {
    kind,
    column: mapped,
    holds: { column: mapped, is: isFlag ? "true" : "set" },
    cleared: isFlag ? "false" : "null",
    marked: isFlag ? "true" : "now",
    says: `${column.name} is ${isFlag ? "true" : "set"}`,
  };
}

/** The same of a time that may be written as a text. */
export function setMark(column: CatalogColumn, zone: string): RowMark {
  const mark = markOf("withdrawn", column, zone);
  if (column.family !== "text") return mark;
  return { ...mark, holds: { column: mark.column, is: "filled" }, says: `${column.name} has a text` };
}

/** `deleted_at DEFAULT '9999-12-31'`: a new row has a placeholder, and one with another time is marked. */
function markUnlike(kind: RowMarkKind, column: MappedColumn, unset: string): RowMark {
  const value = isNumber(unset) ? { number: Number(unset) } : { word: unset };
  return {
    kind,
    column,
    holds: markedBy({ kind: "timestamp", column, unset }),
    cleared: value,
    marked: "now",
    says: `${column.name} is not ${unset}`,
  };
}

/**
 * A time of the last failure says no more than a count of attempts. A number is a time only if its name says so.
 * `give_up_at` is when a relay will give up.
 */
function fits(column: CatalogColumn, kind: RowMarkKind, columns: Columns): boolean {
  const { name, family, nullable, hasDefault, onUpdate } = column;
  if (family === "boolean") return true;
  if (onUpdate) return false;
  if (wordsOf(name).some(({ text }) => text === "give")) return false;
  const isInstant = family === "instant" || family === "datetime" || (TIMES.includes(family) && saysTime(name));
  const isTime = isInstant || isBareTime(column);
  if (!isTime || !((nullable && !hasDefault) || placeholderOf(column) !== null)) return false;
  return kind !== "failed" || columns.attempts === undefined;
}

export function kindOf(table: CatalogTable, column: CatalogColumn): RowMarkKind | null {
  if (isSpentName(plainName(table, column.name))) return "dead";
  const kinds = Object.keys(MARK_PATTERNS) as RowMarkKind[];
  return kinds.find((kind) => isNamed(table, column, MARK_PATTERNS[kind])) ?? null;
}

export function toMapped(column: CatalogColumn, zone: string): MappedColumn {
  const time = timeEncodingOf(column, zone);
  const computed = column.generated ? { generated: true as const } : {};
  const { name, type, nullable } = column;
  return { name, type, nullable, ...(time ? { time } : {}), ...computed, from: "shape" };
}
