import type { CatalogColumn, CatalogTable } from "../stores/port/catalog.ts";
import type { Condition } from "../stores/port/table-rules.ts";
import { assignRoles } from "./columns/assign-roles.ts";
import { suits } from "./columns/fitted-conditions.ts";
import { placeholderOf } from "./columns/unset-default.ts";
import type { LibraryTable } from "./libraries/library-table-type.ts";
import { LIBRARY_TABLES } from "./libraries/library-tables.ts";
import { answerCodeOf } from "./lifecycle/answer-codes.ts";
import { marksOf } from "./lifecycle/coded-marks.ts";
import { outcomeOf } from "./lifecycle/outcomes.ts";
import { successFlagOf } from "./lifecycle/success-flag.ts";
import { normalise } from "./vocabulary.ts";

export interface FoundLibrary {
  known: LibraryTable;
  /** False if only the columns fit, under a name that the library does not use. */
  byName: boolean;
}

/** Below so many required columns, chance can bring them together: the name must fit as well. */
const TELLING_COLUMNS = 4;

/** The library whose table this is; null if it is none, or not certainly one. `slug`: as a person has answered. */
export function findLibrary(table: CatalogTable, slug?: string): FoundLibrary | null {
  if (slug !== undefined) return find(table, slug);
  const known = findings.get(table);
  if (known !== undefined) return known;
  const found = find(table);
  findings.set(table, found);
  return found;
}

/** A table is asked about by several, and a catalog may have thousands. */
const findings = new WeakMap<CatalogTable, FoundLibrary | null>();

function find(table: CatalogTable, slug?: string): FoundLibrary | null {
  const known = LIBRARY_TABLES.filter((one) => fits(one, table) && (slug === undefined || one.slug === slug));
  const found = known.map((one) => ({
    known: one,
    byName: slug !== undefined || one.name.test(normalise(table.name)),
  }));
  const usable = found.filter(
    ({ known: one, byName }) => byName || (!one.nameDecides && one.required.length >= TELLING_COLUMNS),
  );
  return usable.toSorted((one, other) => rank(other) - rank(one))[0] ?? null;
}

function rank({ known, byName }: FoundLibrary): number {
  return (byName ? 1000 : 0) + known.required.length;
}

/** The column of a table by a library's name for it. */
export function columnNamed(table: CatalogTable, name: string): CatalogColumn | undefined {
  const exact = table.columns.find((column) => column.name === name);
  return exact ?? columnsByWord(table).get(plain(name));
}

const byWord = new WeakMap<CatalogTable, Map<string, CatalogColumn>>();

/** The first column of each name, whatever its case and underscores. */
function columnsByWord(table: CatalogTable): Map<string, CatalogColumn> {
  const known = byWord.get(table);
  if (known) return known;
  const made = new Map(table.columns.toReversed().map((column) => [normalise(column.name), column]));
  byWord.set(table, made);
  return made;
}

const plainNames = new Map<string, string>();

/** Names of libraries' columns are few and asked for often. */
function plain(name: string): string {
  const known = plainNames.get(name) ?? normalise(name);
  plainNames.set(name, known);
  return known;
}

function fits({ required, optional = [], forbidden = [], kind }: LibraryTable, table: CatalogTable): boolean {
  const columns = columnsByWord(table);
  const has = (name: string) => columns.has(plain(name));
  if (!required.every(has) || forbidden.some(has) || speaksOtherwise(kind, table) || leavesOpen(kind, table))
    return false;
  if (!rulesOf(kind).every((rule) => suits(rule, (name) => columnNamed(table, name)))) return false;
  if (!hasItsTimes(kind, table)) return false;
  const known = new Set([...required, ...optional].map(plain));
  // A column that the library does not know may say that a row was sent or given up: the table is then not its alone.
  const others = table.columns.filter((column) => !known.has(normalise(column.name)));
  const rest = { ...table, columns: others };
  const { status, publishedAt } = assignRoles(rest, {});
  if (status !== undefined || publishedAt !== undefined) return false;
  return (
    marksOf(rest, {}, "UTC").length === 0 &&
    successFlagOf(rest, {}, "UTC") === null &&
    outcomeOf(rest, {}, "UTC") === null &&
    answerCodeOf(rest, {}, "UTC") === null
  );
}

/** The library writes a row once it was processed, and in this table the time of processing may be missing. */
function leavesOpen(kind: LibraryTable["kind"], table: CatalogTable): boolean {
  if (kind.role !== "inbox" || kind.processed === null || !("always" in kind.processed)) return false;
  const column = columnNamed(table, kind.columns.processedAt ?? "");
  return column !== undefined && (column.nullable || placeholderOf(column) !== null);
}

/** An enum or a CHECK of the table allows none of the words that the library writes into the column. */
function speaksOtherwise(kind: LibraryTable["kind"], table: CatalogTable): boolean {
  return [...wordsOf(kind)].some(([name, words]) => {
    const declared = table.words[columnNamed(table, name)?.name ?? ""] ?? [];
    return declared.length > 0 && !declared.some((word) => words.has(word));
  });
}

const TIMES: readonly CatalogColumn["family"][] = ["instant", "datetime"];
const TIME_ROLES = ["createdAt", "publishedAt", "availableAt", "lockedUntil", "expiresAt"] as const;

/** A number or a text is a time only where the library says of which unit: another team's may be any. */
function hasItsTimes(kind: LibraryTable["kind"], table: CatalogTable): boolean {
  if (kind.role === "helper") return true;
  const roles: readonly string[] = kind.role === "inbox" ? ["receivedAt", "processedAt"] : TIME_ROLES;
  const named = Object.entries(kind.columns)
    .filter(([role]) => roles.includes(role))
    .map(([, name]) => name);
  return [...named, ...comparedTimes(kind)].every((name) => {
    const column = columnNamed(table, name);
    const told = kind.times?.[name];
    return (
      column === undefined || (told?.kind === "epoch" ? column.family === "bigint" : TIMES.includes(column.family))
    );
  });
}

/**
 * Times of which the library's rules ask whether they are null, and in which a program of another team may have a
 * placeholder.
 */
export function timesThatMayBeNull(table: CatalogTable): CatalogColumn[] {
  const found = findLibrary(table);
  const of = (condition: Condition<string>): string[] => {
    if ("all" in condition) return condition.all.flatMap(of);
    if ("any" in condition) return condition.any.flatMap(of);
    if ("not" in condition) return of(condition.not);
    return "is" in condition && (condition.is === "set" || condition.is === "null") ? [condition.column] : [];
  };
  const names = new Set(found ? rulesOf(found.known.kind).flatMap(of) : []);
  return [...names].flatMap((name) => {
    const column = columnNamed(table, name);
    return column?.nullable && TIMES.includes(column.family) ? [column] : [];
  });
}

/** Times that the rules compare with the clock or with each other. */
function comparedTimes(kind: LibraryTable["kind"]): string[] {
  const of = (condition: Condition<string>): string[] => {
    if ("all" in condition) return condition.all.flatMap(of);
    if ("any" in condition) return condition.any.flatMap(of);
    if ("not" in condition) return of(condition.not);
    if ("isAfter" in condition) return [condition.column, condition.isAfter];
    return "is" in condition && (condition.is === "past" || condition.is === "future") ? [condition.column] : [];
  };
  const ends =
    kind.role !== "inbox" && kind.role !== "helper" && kind.lifecycle.kind === "rules"
      ? kind.lifecycle.states.claim?.ends
      : undefined;
  return [...rulesOf(kind).flatMap(of), ...(ends ? [ends.column] : [])];
}

/** The conditions by which a library tells the states of its rows. */
function rulesOf(kind: LibraryTable["kind"]): Condition<string>[] {
  if (kind.role === "inbox") return [kind.processed, kind.failed].filter((rule) => rule !== null && rule !== undefined);
  if (kind.role === "helper" || kind.lifecycle.kind !== "rules") return [];
  const { waiting, dead, published, expired, failed, claim } = kind.lifecycle.states;
  return [waiting, dead, published, expired, failed, claim?.marked].filter((rule) => rule !== undefined);
}

/** The words that a library's rules compare, by column. */
function wordsOf(kind: LibraryTable["kind"]): Map<string, Set<string>> {
  const words = new Map<string, Set<string>>();
  const add = (condition: Condition<string>): void => {
    if ("all" in condition) condition.all.forEach(add);
    else if ("any" in condition) condition.any.forEach(add);
    else if ("not" in condition) add(condition.not);
    else if ("in" in condition)
      words.set(condition.column, new Set([...(words.get(condition.column) ?? []), ...condition.in.map(String)]));
  };
  rulesOf(kind).forEach(add);
  return words;
}
