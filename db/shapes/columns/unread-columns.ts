import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn, OutboxMapping } from "../../stores/port/mapping.ts";
import { columnsOfClaim } from "../../stores/port/table-rules.ts";
import { type Columns, unused } from "../lifecycle/row-marks.ts";
import { defaultWordOf } from "../lifecycle/status-lifecycle.ts";
import type { Concept } from "../words/concepts.ts";
import { wordsOf } from "../words/name-words.ts";
import { meaningOfFlag } from "../words/status-words.ts";
import { plainName } from "./plain-name.ts";

/** Columns outside the key that have no role. `read`: columns that are marks. */
export function unmarkedColumns(table: CatalogTable, columns: Columns, read: readonly MappedColumn[]): CatalogColumn[] {
  const known = new Set([...read.map(({ name }) => name), ...table.primaryKey]);
  return unused(table, columns).filter(({ name }) => !known.has(name));
}

/** Said of every row, sent or not. */
const HARMLESS: readonly Concept[] = [
  "updated",
  "created",
  "inserted",
  "occurred",
  "received",
  "first",
  "attempt",
  "trace",
];

/**
 * Columns that the mapping does not read and that may say that a row is not to be sent: a flag, a time that may be
 * null, or words with a default.
 */
export function unreadColumns(table: CatalogTable, mapping: OutboxMapping): string[] {
  const used = new Set(usedColumns(mapping));
  return table.columns
    .filter(({ name }) => !used.has(name))
    .filter(
      (column) =>
        maySayState(column, table.words[column.name] !== undefined) ||
        isFlagOfLetters(table, column) ||
        isDate(column) ||
        isFromThenOn(table, column),
    )
    .filter((column) => !isHarmless(table, column))
    .map(({ name }) => name);
}

const isDate = ({ type, generated }: CatalogColumn) => type === "date" && !generated;

/** `valid_from NOT NULL`: a row may wait until then, and every row has such a time. */
function isFromThenOn(table: CatalogTable, { name, family, generated }: CatalogColumn): boolean {
  if ((family !== "instant" && family !== "datetime") || generated) return false;
  return FROM_THEN_ON.test(
    wordsOf(plainName(table, name))
      .map(({ text }) => text)
      .join(""),
  );
}
const FROM_THEN_ON =
  /^(valid|effective|start|starts|begin|begins|active|embargo|earliest|visible|gueltig|valable|valido)(from|at|on|after|ab|desde|a|date|time)$/;

/** `storno char(1) DEFAULT 'N'`. */
export function isFlagOfLetters(table: CatalogTable, { name, family, generated }: CatalogColumn): boolean {
  const first = defaultWordOf(table, name);
  const isText = family === "text" || family === "compact";
  return isText && !generated && first !== undefined && first.trim().length <= 2 && meaningOfFlag(first) !== undefined;
}

export function isHarmless(table: CatalogTable, { name }: Pick<CatalogColumn, "name">): boolean {
  return wordsOf(plainName(table, name)).some(({ concepts }) => concepts.some((one) => HARMLESS.includes(one)));
}

function usedColumns({ columns, primaryKey, lifecycle, claim, resets = [], attemptsLimit }: OutboxMapping): string[] {
  const marks = lifecycle.kind === "status" ? (lifecycle.marks ?? []).map(({ column }) => column) : [];
  const ruled = lifecycle.kind === "rules" ? lifecycle.columns : [];
  const all = [
    ...Object.values(columns),
    ...primaryKey,
    ...marks,
    ...ruled,
    ...(claim ? columnsOfClaim(claim) : []),
    ...resets.map(({ column }) => column),
    ...(attemptsLimit ? [attemptsLimit] : []),
  ];
  return all.map(({ name }) => name);
}

function maySayState({ family, nullable, hasDefault, generated }: CatalogColumn, isListed: boolean): boolean {
  if (generated) return false;
  if (family === "boolean") return true;
  if (family === "instant" || family === "datetime") return nullable && !hasDefault;
  return hasDefault && (isListed || family === "words");
}
