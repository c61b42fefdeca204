import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { type ClaimRule, columnsOfCondition } from "../../stores/port/table-rules.ts";
import { patterns } from "../words/role-patterns.ts";
import { type Columns, isNamed, markOf, type RowMark, unused } from "./row-marks.ts";

const CLAIM_MARKS = patterns(
  "10 lock time",
  "10 lock | flag",
  "10 lock token",
  "10 lock id",
  "9 busy time",
  "9 busy | flag",
  "9 busy started time",
  "9 busy after",
  "9 busy token",
);
/** How long a claim counts as live whose column says only when it was taken, seconds. */
const CLAIM_SECONDS = 900;

/**
 * The claim that such columns and the publisher's name show, where no column says until when. With the time at which it
 * was taken it ends after 15 minutes, otherwise never.
 */
export function claimOf(table: CatalogTable, columns: Columns, zone: string): ClaimRule<MappedColumn> | null {
  if (columns.lockedUntil) return null;
  const marks = claimMarksOf(table, columns, zone);
  const taken = marks.find(({ column }) => column.time !== undefined);
  if (taken) return { marked: taken.holds, ends: { column: taken.column, plusSeconds: CLAIM_SECONDS } };
  const by = columns.lockedBy?.nullable ? [{ column: columns.lockedBy, is: "set" as const }] : [];
  const held = [...by, ...marks.map(({ holds }) => holds)];
  return held.length > 0 ? { marked: { any: held } } : null;
}

/** What a claim says, as a sentence; empty without one. */
export function claimText(claim: ClaimRule<MappedColumn> | null | undefined): string {
  if (!claim) return "";
  const names = [...new Set(columnsOfCondition(claim.marked).map(({ name }) => name))].join(" or ");
  return claim.ends
    ? ` In flight for ${CLAIM_SECONDS / 60} minutes after ${names}.`
    : ` In flight while ${names} is set.`;
}

/** Columns by which a publisher holds a row and that a row held by nobody has empty or false. */
export function claimMarksOf(table: CatalogTable, columns: Columns, zone: string): RowMark[] {
  return unused(table, columns)
    .filter((column) => isNamed(table, column, CLAIM_MARKS))
    .filter(({ family, nullable, hasDefault }) => family === "boolean" || (nullable && !hasDefault))
    .map((column) => markOf("failed", column, zone));
}
