import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { findLibrary } from "../find-library.ts";
import { recogniseInbox } from "../inbox/recognise-inbox.ts";
import { judgeTable } from "../judge-table.ts";
import { wordsOf } from "../words/name-words.ts";
import type { StatusColumn } from "./status-columns.ts";

const TIMES = ["time", "until", "expire"] as const;

/** More of one table are not looked at. */
const MOST = 4;

/** Numbers that are times, of outboxes, candidates and inboxes: their type does not say the unit. */
export function epochColumns(tables: readonly CatalogTable[]): StatusColumn[] {
  return tables.flatMap((table) => {
    const times = timesOf(table);
    const numbers = table.columns.filter((column) => isEpoch(column, times));
    if (numbers.length === 0 || findLibrary(table)?.byName || !isOurs(table)) return [];
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
  const { roles } = judgeTable(table);
  return new Set(TIME_ROLES.flatMap((role) => roles[role]?.name ?? []));
}

function isOurs(table: CatalogTable): boolean {
  const { kind } = judgeTable(table);
  return kind === "outbox" || kind === "candidate" || recogniseInbox(table) !== undefined;
}

/** Numbers of digits that are a time in no unit. 1 is left out, because a single 0 may mean none. */
const DURATION: readonly number[] = [2, 3, 4, 5, 6, 7, 8];
const UNITS = { 10: "s", 13: "ms", 16: "us", 19: "ns" } as const;

/**
 * The table with the unit of such a column, by the numbers of digits of its values; of a column without values, that of
 * its neighbours. 10 digits are seconds from 2001 to 2286. Unchanged if they are of several units. A number of seconds to
 * wait (`retry_after` of 30) is a duration, and as a time it would be long past.
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
