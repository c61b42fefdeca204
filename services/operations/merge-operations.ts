import type { ListedOperation } from "#db/stores/port/bulk-records.ts";
import type { Places } from "../places-cursor.ts";

/** Operations read from one list, newest first. `whole`: none follows. */
export interface OperationsRead {
  name: string;
  rows: readonly ListedOperation[];
  whole: boolean;
}

/** Above the id of every operation of its instant. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * The newest `limit` operations of several lists. A list of which the page took nothing continues at its present newest
 * one, because later ones are newer than this page. `places` is null once all have ended.
 */
export function mergeOperations(
  reads: readonly OperationsRead[],
  limit: number,
): { operations: ListedOperation[]; places: Places | null } {
  const all = reads.flatMap(({ rows }) => rows);
  const operations = all.toSorted(newestFirst).slice(0, limit);
  const taken = new Set(operations);
  const places = Object.fromEntries(reads.map((read) => [read.name, placeAfter(read, taken)]));
  return { operations, places: Object.values(places).every((place) => place === null) ? null : places };
}

function placeAfter({ rows, whole }: OperationsRead, taken: ReadonlySet<ListedOperation>): Places[string] {
  const last = rows.findLast((row) => taken.has(row));
  if (whole && last === rows.at(-1)) return null;
  const [first] = rows;
  if (last) return { at: last.at, id: last.id };
  return first ? { at: first.at, id: LAST_ID } : null;
}

function newestFirst(one: ListedOperation, other: ListedOperation): number {
  return one.at === other.at ? (one.id < other.id ? 1 : -1) : one.at < other.at ? 1 : -1;
}
