import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { type ClaimRule, type Condition, columnsOfCondition } from "../../stores/port/table-rules.ts";
import { plainName } from "../columns/plain-name.ts";
import { isBareTime, saysTime } from "../columns/time-encoding.ts";
import { isEmptyAtFirst, isEmptyText, unsetDefaultOf } from "../columns/unset-default.ts";
import { wordsOf } from "../words/name-words.ts";
import { patterns, ROLE_PATTERNS } from "../words/role-patterns.ts";
import { codedFlagOf } from "./coded-flag.ts";
import { receivedClaim } from "./counted-claims.ts";
import { type Columns, isNamed, markOf, type RowMark, setMark, toMapped, unused } from "./row-marks.ts";
import { defaultWordOf } from "./status-lifecycle.ts";

const CLAIM_MARKS = patterns(
  "10 lock time",
  "10 lock | flag",
  "10 lock token",
  "10 lock id",
  "9 busy time",
  "9 busy | flag",
  "9 busy started time",
  "9 send started time",
  "9 busy after",
  "9 busy token",
);
const HOLDERS = ROLE_PATTERNS.lockedBy;
/** How long a claim counts as live whose column says only when it was taken, seconds. */
const CLAIM_SECONDS = 900;

/**
 * The claim that such columns and the publisher's name show, where no column says until when. With the time at which it
 * was taken it ends after 15 minutes, otherwise never.
 */
export function claimOf(table: CatalogTable, columns: Columns, zone: string): ClaimRule<MappedColumn> | null {
  if (columns.lockedUntil) return null;
  const marks = claimMarksOf(table, columns, zone);
  const taken = marks.find(({ column }) => column.time !== undefined && isTime(table, column));
  if (taken) return { marked: taken.holds, ends: { column: taken.column, plusSeconds: CLAIM_SECONDS } };
  const by = holderOf(table, columns);
  const held = [...by, ...marks.map(({ holds }) => holds)];
  return held.length > 0 ? { marked: { any: held } } : receivedClaim(table, columns);
}

/** A number is a time only if its name says so: `worker` is who holds the row. */
function isTime(table: CatalogTable, { name }: MappedColumn): boolean {
  const family = table.columns.find((column) => column.name === name)?.family;
  if (family === "instant" || family === "datetime") return true;
  return wordsOf(plainName(table, name)).some(({ concepts }) =>
    concepts.some((one) => one === "time" || one === "after"),
  );
}

/** Nobody holds a row whose publisher is null or, where a new row has that, an empty text. */
function holderOf(table: CatalogTable, { lockedBy }: Columns): Condition<MappedColumn>[] {
  if (!lockedBy) return [];
  const column = table.columns.find(({ name }) => name === lockedBy.name);
  if (column && isEmptyAtFirst(column)) return [{ column: lockedBy, is: "filled" }];
  return lockedBy.nullable ? [{ column: lockedBy, is: "set" }] : [];
}

/** What a claim says, as a sentence; empty without one. */
export function claimText(claim: ClaimRule<MappedColumn> | null | undefined): string {
  if (!claim) return "";
  const names = [...new Set(columnsOfCondition(claim.marked).map(({ name }) => name))].join(" or ");
  if (claim.ends?.lapses)
    return ` In flight when ${names} is 1 or more and ${claim.ends.column.name} is in the future.`;
  return claim.ends
    ? ` In flight for ${CLAIM_SECONDS / 60} minutes after ${names}.`
    : ` In flight while ${names} is set.`;
}

/** A person holds a row back as well as a program takes it, and nothing else says which. */
const HELD =
  /^(held|gesperrt|bloqueado|bloqueada|zablokowane|zablokowano|bloccato|bloccata|verrouille|geblokkeerd|vergrendeld|travado)$/;

/**
 * `held_at`, `gesperrt_am`: taken by a relay, or held back by a person, as no other column speaks of a relay's claim.
 */
export function heldMarks(table: CatalogTable, columns: Columns, zone: string): RowMark[] {
  if (columns.lockedBy || columns.lockedUntil) return [];
  const claims = claimMarksOf(table, columns, zone);
  const isHeld = ({ column }: RowMark) => wordsOf(plainName(table, column.name)).some(({ text }) => HELD.test(text));
  return claims.every(isHeld) ? claims.map((mark) => ({ ...mark, kind: "withdrawn" })) : [];
}

/**
 * `locked_at text`, `claimed_on date`: the time of a claim in a form that is not read, so that nobody can tell whether
 * it has ended.
 */
export function undatedClaims(table: CatalogTable, columns: Columns, zone: string): RowMark[] {
  return unused(table, columns)
    .filter((column) => isNamed(table, column, CLAIM_MARKS) && saysTime(plainName(table, column.name)))
    .filter((column) => isBareTime(column) || (column.family === "text" && !/\(1\)$/.test(column.type)))
    .filter((column) => !column.generated && isEmptyText(column))
    .map((column) => setMark(column, zone));
}

/** Columns by which a publisher holds a row and that a row held by nobody has empty or false. */
export function claimMarksOf(table: CatalogTable, columns: Columns, zone: string): RowMark[] {
  const named = unused(table, columns).filter(
    (column) => isNamed(table, column, CLAIM_MARKS) && !isHidden(table, column) && !isLength(table, column),
  );
  const holders = unused(table, columns).filter(
    (column) => !named.includes(column) && isNamed(table, column, HOLDERS) && !isHidden(table, column),
  );
  return [
    ...named.flatMap((column) => codedClaim(table, column, zone)),
    ...plainClaims(named, zone),
    ...holders.flatMap((column) => holderMark(table, column, zone) ?? []),
  ];
}

/** `processing_time int`: how long it took. */
const isLength = (table: CatalogTable, { name, family, isDuration }: CatalogColumn) =>
  NUMBERS.includes(family) &&
  (isDuration ||
    /^(processing|publishing|sending|working|busy)time(s|secs?|seconds|ms|millis|us|ns)?$/.test(
      wordsOf(plainName(table, name))
        .map(({ text }) => text)
        .join(""),
    ));

/** A queue hides a row until a time; as a flag it may be withdrawn. */
const isHidden = (table: CatalogTable, { name, family }: CatalogColumn) =>
  (["boolean", "text"].includes(family) || (NUMBERS.includes(family) && !saysTime(name))) &&
  wordsOf(plainName(table, name)).some(({ text }) => text === "hidden" || text === "invisible");

/** `locked_by int`, `worker_id DEFAULT 'nobody'`: held by another than a new row has, or by anybody at all. */
function holderMark(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  // One letter names nobody.
  if (!HELD_BY.includes(column.family) || column.generated || /\(1\)$/.test(column.type)) return null;
  const first = defaultWordOf(table, column.name);
  if (first === undefined && (!column.nullable || column.hasDefault)) return null;
  const { time: _, ...holder } = toMapped(column, zone);
  const mark = { ...markOf("failed", column, zone), column: holder };
  const isSet = { column: holder, is: "set" as const };
  if (first === undefined) return { ...mark, holds: isSet, cleared: "null" };
  const isNumber = NUMBERS.includes(column.family);
  const nobody = isNumber ? Number(first) : first;
  const cleared = isNumber ? { number: Number(first) } : { word: first };
  return { ...mark, holds: { all: [isSet, { not: { column: holder, in: [nobody] } }] }, cleared };
}

const NUMBERS: readonly CatalogColumn["family"][] = ["smallint", "integer", "bigint"];
const HELD_BY: readonly CatalogColumn["family"][] = [...NUMBERS, "text", "compact", "uuid"];

/** `locked char(1) DEFAULT 'N'`, `kz_gesperrt smallint DEFAULT 0`. */
function codedClaim(table: CatalogTable, column: CatalogColumn, zone: string): RowMark[] {
  const isTime = ["bigint", "compact"].includes(column.family) && saysTime(plainName(table, column.name));
  const flag = isTime || !column.hasDefault ? null : codedFlagOf(table, column, toMapped(column, zone));
  if (!flag?.off) return [];
  const { time: _, ...flagged } = toMapped(column, zone);
  const mark = markOf("failed", column, zone);
  return [{ ...mark, column: flagged, holds: flag.isOn, cleared: flag.off, marked: flag.on ?? "null" }];
}

function plainClaims(named: readonly CatalogColumn[], zone: string): RowMark[] {
  return named
    .filter((column) => {
      const { family, nullable, hasDefault } = column;
      return family === "boolean" || (nullable && !hasDefault) || unsetDefaultOf(column) !== null;
    })
    .map((column) => markOf("failed", column, zone));
}
