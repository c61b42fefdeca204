import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { findLibrary } from "../find-library.ts";
import { judgeTable } from "../judge-table.ts";
import { wordsOf } from "../words/name-words.ts";
import { assignRoles } from "./assign-roles.ts";
import { readColumns } from "./looked-columns.ts";
import type { StatusColumn } from "./status-columns.ts";

const TIMES = ["time", "until", "expire"] as const;

/** More of one table are not looked at. */
const MOST = 4;

/** Numbers that are times, of outboxes, candidates and inboxes: their type does not say the unit. */
export function epochColumns(tables: readonly CatalogTable[]): StatusColumn[] {
  return tables.flatMap((table) => {
    const times = timesOf(table);
    const numbers = table.columns.filter((column) => isEpoch(column, times));
    const isLibrary = table.named?.as !== "outbox" && findLibrary(table)?.byName === true;
    if (numbers.length === 0 || isLibrary || readColumns(table) === null) return [];
    return numbers.slice(0, MOST).map(({ name }) => ({ table, column: name }));
  });
}

function isEpoch({ name, family }: CatalogColumn, times: ReadonlySet<string>): boolean {
  if (family === "integer") return times.has(name) && !wordsOf(name).some(({ concepts }) => concepts.includes("time"));
  if (family !== "bigint") return false;
  return times.has(name) || wordsOf(name).some(({ concepts }) => TIMES.some((time) => concepts.includes(time)));
}

const TIME_ROLES = ["createdAt", "publishedAt", "availableAt", "lockedUntil", "expiresAt"] as const;

/** Columns that are read as times, whatever their names say: `created bigint`, `next_try bigint`. */
function timesOf(table: CatalogTable): ReadonlySet<string> {
  const roles = table.named?.as === "outbox" ? assignRoles(table, table.named.columns) : judgeTable(table).roles;
  return new Set(TIME_ROLES.flatMap((role) => roles[role]?.name ?? []));
}

/** Numbers of digits that are a time in no unit. 1 is left out, because a single 0 may mean none. */
const DURATION: readonly number[] = [2, 3, 4, 5, 6, 7, 8];
const UNITS = { 10: "s", 13: "ms", 16: "us", 19: "ns" } as const;

/** The table with the note that a number is a time, by values of as many digits beside 0; null for another column. */
export function withTimes(table: CatalogTable, name: string, values: readonly string[]): CatalogTable | null {
  const column = table.columns.find((one) => one.name === name);
  if (column?.family !== "bigint" && column?.family !== "integer") return null;
  const units = new Set(values.filter((value) => !NONE.test(value)).map(unitOf));
  const [unit] = units;
  if (unit === undefined || units.size > 1 || (column.family === "integer" && unit !== "s")) return null;
  const found = { ...column, holdsTimes: true as const, ...(column.family === "bigint" ? { epochUnit: unit } : {}) };
  return { ...table, columns: table.columns.map((one) => (one === column ? found : one)) };
}

const NONE = /^(?:0|-\d+)$/;
const unitOf = (value: string) => (/^\d+$/.test(value) ? UNITS[value.length as keyof typeof UNITS] : undefined);

/**
 * The table with the unit of such a column, by the numbers of digits of its values; of a column without values, that of
 * its neighbours. 10 digits are seconds from 2001 to 2286. Unchanged if they are of several units. A number of seconds
 * to wait (`retry_after` of 30) is a duration, and as a time it would be long past.
 */
export function withEpochUnit(table: CatalogTable, column: string, digits: readonly number[]): CatalogTable {
  const units = [...new Set(digits.flatMap((count) => UNITS[count as keyof typeof UNITS] ?? []))];
  const [unit] = units;
  if (unit === undefined && digits.some((count) => DURATION.includes(count)))
    return {
      ...table,
      columns: table.columns.map((one) => (one.name === column ? { ...one, isDuration: true } : one)),
    };
  const isWide = table.columns.some(({ name, family }) => name === column && family === "bigint");
  if (unit === undefined || units.length > 1 || !isWide) return table;
  const times = timesOf(table);
  const columns = table.columns.map((one) => {
    const isNeighbour = isEpoch(one, times) && one.epochUnit === undefined;
    return one.name === column || isNeighbour ? { ...one, epochUnit: unit } : one;
  });
  return { ...table, columns };
}
