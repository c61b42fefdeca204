import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { timesThatMayBeNull } from "../find-library.ts";
import { kindOf as endKindOf, isNamed } from "../lifecycle/row-marks.ts";
import type { InboxRole } from "../words/inbox-patterns.ts";
import { wordsOf } from "../words/name-words.ts";
import { ROLE_PATTERNS } from "../words/role-patterns.ts";
import { type ReadColumns, readColumns } from "./looked-columns.ts";
import { plainName } from "./plain-name.ts";
import { saysSendLimit } from "./send-limit.ts";
import { saysTime } from "./time-encoding.ts";

export interface DoneColumn {
  table: CatalogTable;
  column: string;
  /**
   * `number`: of seconds or parts of them. `digit`: a flag that could have other numbers than 0 and 1. `text`: for a
   * time in digits; `never`: a due time.
   */
  of: "time" | "number" | "flag" | "digit" | "text" | "never";
}

const TIMES: readonly string[] = ["instant", "datetime"];
const NUMBERS: readonly string[] = ["bigint", "integer"];

/**
 * Times and flags by which an outbox or an inbox says that a message is done. A program without nulls writes the year
 * 1, 1970, infinity or a time that is years away for "not yet", and a row with such a value is not done. A flag without
 * a default may be null for "not yet" and false for "failed", and a flag of MySQL may have a 2.
 */
export function doneColumns(tables: readonly CatalogTable[]): DoneColumn[] {
  return tables.flatMap((table) => {
    const asked = timesThatMayBeNull(table).map(({ name }) => ({ table, column: name, of: "time" as const }));
    const read = asked.length > 0 ? null : readColumns(table);
    if (!read) return asked;
    const mark = markOf(read);
    const of = mark ? kindOf(mark, read.as === "inbox") : null;
    const ends = timesBeside(table, read).map(({ name, family }) => ({ table, column: name, of: timeOf(family) }));
    const due = dueTime(read).map(({ name, family }) => ({
      ...{ table, column: name },
      of: TIMES.includes(family) ? ("never" as const) : ("number" as const),
    }));
    const taken = claimEnd(read).map(({ name }) => ({ table, column: name, of: "never" as const }));
    return [...taken, ...(mark && of ? [{ table, column: mark.name, of }] : []), ...ends, ...due];
  });
}

/** By a time that is decades away or past, or by 0, a program says that a row is never tried again. */
function dueTime(read: ReadColumns): CatalogColumn[] {
  const due = read.as === "outbox" ? read.roles.availableAt : undefined;
  return due && [...TIMES, ...NUMBERS].includes(due.family) && !due.generated ? [due] : [];
}

/** By an end that is decades away a program says that nobody has taken the row, or that somebody keeps it for good. */
function claimEnd(read: ReadColumns): CatalogColumn[] {
  const end = read.as === "outbox" ? read.roles.lockedUntil : undefined;
  return end && TIMES.includes(end.family) && !end.generated ? [end] : [];
}

const timeOf = (family: CatalogColumn["family"]) => (TIMES.includes(family) ? ("time" as const) : ("number" as const));

/**
 * Times beside the mark that are never null, and by whose names a row was withdrawn or given up, was published, or in
 * an inbox is over: `deleted_at` of 9999, `published_at` of the year 1 beside `published`.
 */
function timesBeside(table: CatalogTable, read: ReadColumns): CatalogColumn[] {
  const taken = new Set(Object.values(read.roles).map(({ name }) => name));
  const wanted = [...ROLE_PATTERNS.publishedAt, ...(read.as === "inbox" ? ROLE_PATTERNS.expiresAt : [])];
  const isTime = (column: CatalogColumn) =>
    TIMES.includes(column.family) || (NUMBERS.includes(column.family) && saysMoment(plainName(table, column.name)));
  const found = table.columns.filter((column) => {
    const isOpen = isTime(column) && !column.nullable && !column.hasDefault && !column.onUpdate;
    const isWanted = () =>
      endKindOf(table, column) !== null ||
      isNamed(table, column, wanted) ||
      saysSendLimit(plainName(table, column.name));
    return isOpen && !taken.has(column.name) && (isWanted() || isOfUnknownName(table, column));
  });
  return found.slice(0, MOST);
}

/** More of one table are not looked at. */
const MOST = 4;

/** `closed_at`, which may end the row: neither a time of the message nor one that every row has from the start. */
const isOfUnknownName = (table: CatalogTable, column: CatalogColumn) =>
  wordsOf(plainName(table, column.name)).some(({ concepts }) => concepts.length === 0);

const saysMoment = (name: string) => saysTime(name) || saysSendLimit(name);

function kindOf({ family, type, nullable, hasDefault }: CatalogColumn, isInbox: boolean): DoneColumn["of"] | null {
  if (family === "boolean" && nullable && !hasDefault) return "flag";
  if (family === "boolean") return type.startsWith("tinyint") ? "digit" : null;
  if (family === "compact") return "text";
  if (!nullable && !(isInbox && !hasDefault)) return null;
  if (TIMES.includes(family)) return "time";
  return NUMBERS.includes(family) ? "number" : null;
}

function markOf(read: ReadColumns): CatalogColumn | undefined {
  if (read.as === "inbox") return inboxMark(read.roles);
  return read.roles.status ? undefined : read.roles.publishedAt;
}

/** The flag, unless a time that may be null stands beside it. */
function inboxMark({ processedAt, processed }: Partial<Record<InboxRole, CatalogColumn>>): CatalogColumn | undefined {
  return processedAt?.nullable ? processedAt : (processed ?? processedAt);
}

/**
 * The table with such values of the column: of a flag both null and false, otherwise one. Unchanged if its rows have
 * none.
 */
export function withUnset({ table, column, of }: DoneColumn, values: readonly string[]): CatalogTable {
  const [value] = values;
  const isOdd = values.some((one) => /\d/.test(one));
  if (value === undefined || (of === "flag" && values.length < 2 && !isOdd)) return table;
  const isNullable = table.columns.some((one) => one.name === column && one.nullable);
  // Of two values in a time that is never null one may be a time.
  if (!isNullable && (of === "time" || of === "number") && values.length > 1) return table;
  const unsetAs = of === "flag" || of === "digit" ? values.toSorted().join(" and ") : value;
  const columns = table.columns.map((one) => (one.name === column ? { ...one, unsetAs } : one));
  return { ...table, columns };
}
