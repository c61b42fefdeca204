import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { type Access, findAccess } from "../plans/find-access.ts";
import { MOST_COST, MOST_FILTER_COST, planCost } from "../plans/query-cost.ts";
import { isSmall, partBases, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { orderBy } from "../tables/keyset.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import type { ListSource } from "./list-sources.ts";

/** Which rows of the team's table a list looks at. */
export type Entries =
  /** The table is small, or reading all of it is bearable. */
  | { kind: "whole" }
  /** Through indexes, a budget of entries each. `unsearched`: a part of the search has neither an index nor entries to look in. */
  | { kind: "index"; pieces: Piece[]; unsearched: boolean }
  /** Only a scan could tell. */
  | { kind: "none" };

interface Piece {
  access: Access;
  /** Rows that another piece has. */
  without: readonly string[];
}

/** How a list finds its rows without reading the rest of a large table. Asks plans alone. */
export async function entriesOf(client: PoolClient, ref: OutboxRef, source: ListSource): Promise<Entries> {
  if (source.search === null || (await isSmall(client, ref))) return { kind: "whole" };
  const { every, either, range } = source.search;
  const filtered = every.length + either.length + range.length > 0;
  const entries = filtered ? await searched(client, ref, source) : toEntries(await partReading(client, ref, source));
  if (entries.kind !== "none") return entries;
  const sql = `WITH ${source.cte} SELECT 1 FROM ${source.from()} WHERE ${source.where}`;
  const most = filtered ? MOST_FILTER_COST : MOST_COST;
  return (await planCost(client, sql, source.values)) <= most ? { kind: "whole" } : entries;
}

function partReading(client: PoolClient, ref: OutboxRef, source: ListSource): Promise<Reading> {
  return readingOf(client, ref, source.search?.part ?? "waiting", orderBy(source.keyset));
}

function toEntries(reading: Reading): Entries {
  return reading.kind === "index"
    ? { kind: "index", pieces: [{ access: reading.access, without: [] }], unsearched: false }
    : reading;
}

/** By the index of a column that is filtered, or by that of the state, whichever holds fewer entries. */
async function searched(client: PoolClient, ref: OutboxRef, source: ListSource): Promise<Entries> {
  const { every = [], either = [], range = [], part = "waiting" } = source.search ?? {};
  const find = (bases: readonly string[]) =>
    findAccess(client, ref, { bases, order: orderBy(source.keyset), values: source.values });
  const found: Access[] = [];
  for (const condition of every) {
    const access = await find([condition]);
    if (access) found.push({ ...access, exact: false });
  }
  if (range.length > 0) {
    const within = range.join(" AND ");
    const access = await find([...partBases(ref, part).map((base) => `${base} AND ${within}`), within]);
    if (access) found.push({ ...access, exact: false });
  }
  if (either.length > 0) return searchedEither(client, ref, source, { find, others: found });
  const narrowest = found.sort((left, right) => left.rows - right.rows)[0];
  if (narrowest) return { kind: "index", pieces: [{ access: narrowest, without: [] }], unsearched: false };
  return inexact(toEntries(await partReading(client, ref, source)));
}

/** What has an index is searched there; the rest is looked for among the entries of the state. */
async function searchedEither(
  client: PoolClient,
  ref: OutboxRef,
  source: ListSource,
  { find, others }: { find: (bases: readonly string[]) => Promise<Access | null>; others: readonly Access[] },
): Promise<Entries> {
  const pieces: Piece[] = [];
  let unserved = 0;
  for (const condition of source.search?.either ?? []) {
    const access = await find([condition]);
    if (access)
      pieces.push({ access: { ...access, exact: false }, without: pieces.map((piece) => piece.access.predicate) });
    else unserved += 1;
  }
  if (unserved === 0) return { kind: "index", pieces, unsearched: false };
  const rest = others[0] ?? inexact(toEntries(await partReading(client, ref, source)));
  const state = "kind" in rest ? (rest.kind === "index" ? rest.pieces[0]?.access : undefined) : rest;
  const without = pieces.map((piece) => piece.access.predicate);
  if (state) return { kind: "index", pieces: [...pieces, { access: state, without }], unsearched: false };
  if (pieces.length === 0) return "kind" in rest ? rest : { kind: "none" };
  return { kind: "index", pieces, unsearched: true };
}

/** With a filter a scan must be cheaper than a tab's own may be: whether it is, is asked of the filter's statement. */
function inexact(entries: Entries): Entries {
  if (entries.kind !== "index") return { kind: "none" };
  const pieces = entries.pieces.map(({ access, without }) => ({ access: { ...access, exact: false }, without }));
  return { ...entries, pieces };
}

/** The rows of the entries as a subquery with the columns of the table and `xmin`; undefined for the table itself. */
export function entryRows(
  ref: OutboxRef,
  source: ListSource,
  entries: Entries,
  { after, budget }: { after: string; budget: number },
): string | undefined {
  if (entries.kind !== "index") return undefined;
  const rows = entries.pieces.map(
    (piece) => `(SELECT t.*, t.xmin ${pieceSql(ref, source, piece, after)} LIMIT ${budget})`,
  );
  return rows.length === 1 ? rows[0] : `(${rows.join(" UNION ALL ")})`;
}

/** Of each piece, a statement for the entry at which the budget ends. */
export function lastEntries(
  ref: OutboxRef,
  source: ListSource,
  entries: Entries,
  { after, columns }: { after: string; columns: string },
): string[] {
  if (entries.kind !== "index") return [];
  return entries.pieces.map(
    (piece) => `SELECT ${columns} ${pieceSql(ref, source, piece, after)} OFFSET ${READ_BUDGET - 1} LIMIT 1`,
  );
}

/** Entries come one after the other in the order of the list, so that a page can go on where another stopped. */
export function inOrder(entries: Entries): boolean {
  return entries.kind === "index" && entries.pieces.length === 1 && entries.pieces[0]?.access.ordered === true;
}

/** `FROM … WHERE … ORDER BY …` of one piece. */
function pieceSql(ref: OutboxRef, source: ListSource, { access, without }: Piece, after: string): string {
  const others = without.map((sql) => `NOT coalesce(${sql}, false)`);
  const where = [access.predicate, ...(after === "" ? [] : [after]), ...others].join(" AND ");
  const order = access.ordered ? ` ORDER BY ${orderBy(source.keyset)}` : "";
  return `FROM ${quoteTable(ref.mapping.table)} t WHERE ${where}${order}`;
}
