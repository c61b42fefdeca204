import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { type Columns, markOf, type RowMark } from "../lifecycle/row-marks.ts";
import { defaultNumberOf } from "../lifecycle/status-lifecycle.ts";
import type { Concept } from "../words/concepts.ts";
import { wordsOf } from "../words/name-words.ts";
import { plainName } from "./plain-name.ts";
import { unmarkedColumns } from "./unread-columns.ts";

const NUMBERS: readonly CatalogColumn["family"][] = ["smallint", "integer", "bigint", "decimal"];
const TRIED: readonly Concept[] = ["attempt", "tries", "failures"];
/** Of when and how it is tried again, and not of how often it was. */
const NO_COUNT: readonly Concept[] = [
  "time",
  "after",
  "until",
  "delay",
  "limit",
  "remaining",
  "first",
  "last",
  "next",
  "id",
  "code",
  "type",
];
const OF_RULES =
  /^(interval|intervals|seconds?|secs?|minutes?|mins?|hours?|days?|policy|budget|strategy|factor|jitter|window|timeout|level|stage|priority|of|flag|is|can|allow|allowed)$/;

/**
 * Where nothing counts attempts, numbers whose names speak of attempts and have a word that is not known
 * (`courier_tries`): a row with more of them than a new one may have failed. Whoever confirms the published mark knows.
 * `read`: columns that say something else.
 */
export function unreadCounts(
  table: CatalogTable,
  columns: Columns,
  read: readonly MappedColumn[],
  zone: string,
): RowMark[] {
  if (columns.attempts) return [];
  return unmarkedColumns(table, columns, read)
    .filter((column) => NUMBERS.includes(column.family) && !column.generated && countsAttempts(table, column))
    .map((column) => {
      const mark = markOf("withdrawn", column, zone);
      const first = defaultNumberOf(table, column.name) ?? 0;
      const says = `${column.name} is more than ${first}, until this is answered`;
      return { ...mark, holds: { column: mark.column, atLeast: first + 1 }, says };
    });
}

function countsAttempts(table: CatalogTable, { name }: CatalogColumn): boolean {
  const words = wordsOf(plainName(table, name));
  const isOf = (wanted: readonly Concept[]) =>
    words.some(({ concepts }) => concepts.some((one) => wanted.includes(one)));
  return isOf(TRIED) && !isOf(NO_COUNT) && !words.some(({ text }) => OF_RULES.test(text));
}
