import { type SQL, type Subquery, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { orderBy } from "#db/stores/shared/read/keyset.ts";
import { all, isNotTrue } from "#db/stores/shared/states/conditions.ts";
import { type Database, queryOn } from "../connection/query-on.ts";
import { type Access, findAccess, partialIndexes } from "../plans/find-access.ts";
import { MOST_COST, MOST_FILTER_COST, planCost } from "../plans/query-cost.ts";
import { isSmall, partBases, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { cursorOf } from "../tables/keyset.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import type { ListSource } from "./list-sources.ts";

/** How a list reads the team's table. */
export type Entries =
  /** Scan: the table is small, or the scan is affordable. */
  | { kind: "whole" }
  /** Through indexes, with a budget of entries each. `unsearched`: part of the search has no index and no entries. */
  | { kind: "index"; pieces: Piece[]; unsearched: boolean }
  /** Only a scan could answer. */
  | { kind: "none" };

interface Piece {
  access: Access;
  /** Conditions of rows already covered by other pieces. */
  without: readonly SQL[];
}

/** How a list finds its rows without reading the rest of a large table. Reads only plans. */
export async function entriesOf(
  client: PoolClient,
  ref: OutboxRef,
  source: ListSource,
  use: "list" | "count" = "list",
): Promise<Entries> {
  if (source.search === null || (await isSmall(client, ref))) return { kind: "whole" };
  const { every, either, range } = source.search;
  const filtered = every.length + either.length + range.length > 0;
  const entries = filtered
    ? await searched(client, ref, source)
    : toEntries(await partReading(client, ref, source, use));
  if (entries.kind !== "none") return entries;
  const scan = source.select(queryOn(client), { one: sql`1` }).where(source.where);
  const most = filtered ? MOST_FILTER_COST : MOST_COST;
  return (await planCost(client, scan)) <= most ? { kind: "whole" } : entries;
}

function partReading(
  client: PoolClient,
  ref: OutboxRef,
  source: ListSource,
  use: "list" | "count" = "list",
): Promise<Reading> {
  return readingOf(client, ref, source.search?.part ?? "waiting", { order: orderBy(source.keyset), use });
}

function toEntries(reading: Reading): Entries {
  return reading.kind === "index"
    ? { kind: "index", pieces: [{ access: reading.access, without: [] }], unsearched: false }
    : reading;
}

/** Uses the index of a filtered column or that of the state, whichever has fewer entries. */
async function searched(client: PoolClient, ref: OutboxRef, source: ListSource): Promise<Entries> {
  const { every = [], either = [], range = [], part = "waiting" } = source.search ?? {};
  const partial = await partialIndexes(client, ref);
  const find = (bases: readonly SQL[]) => findAccess(client, ref, { bases, order: orderBy(source.keyset), partial });
  const found: Access[] = [];
  for (const condition of every) {
    const access = await find([condition]);
    if (access) found.push({ ...access, exact: false });
  }
  if (range.length > 0) {
    const within = all(...range);
    const access = await find([...partBases(ref, part).map((base) => all(base, within)), within]);
    if (access) found.push({ ...access, exact: false });
  }
  if (either.length > 0) return searchedEither(client, ref, source, { find, others: found });
  const narrowest = found.sort((left, right) => left.rows - right.rows)[0];
  if (narrowest) return { kind: "index", pieces: [{ access: narrowest, without: [] }], unsearched: false };
  return inexact(toEntries(await partReading(client, ref, source)));
}

/** Alternatives with an index are searched there; the others among the entries of the state. */
async function searchedEither(
  client: PoolClient,
  ref: OutboxRef,
  source: ListSource,
  { find, others }: { find: (bases: readonly SQL[]) => Promise<Access | null>; others: readonly Access[] },
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
  if (source.search?.strict && others.length === 0) return { kind: "none" };
  const rest = others[0] ?? inexact(toEntries(await partReading(client, ref, source)));
  const state = "kind" in rest ? (rest.kind === "index" ? rest.pieces[0]?.access : undefined) : rest;
  const without = pieces.map((piece) => piece.access.predicate);
  if (state) return { kind: "index", pieces: [...pieces, { access: state, without }], unsearched: false };
  if (pieces.length === 0) return "kind" in rest ? rest : { kind: "none" };
  return { kind: "index", pieces, unsearched: true };
}

/** With a filter the caller allows a scan only if the filter's statement is cheap, so `whole` becomes `none`. */
function inexact(entries: Entries): Entries {
  if (entries.kind !== "index") return { kind: "none" };
  const pieces = entries.pieces.map(({ access, without }) => ({ access: { ...access, exact: false }, without }));
  return { ...entries, pieces };
}

/** The entries as a subquery `t` with the table's columns and `xmin`; undefined for the table itself. */
export function entryRows(
  db: Database,
  ref: OutboxRef,
  { source, entries }: { source: ListSource; entries: Entries },
  { after, budget }: { after: SQL; budget: number },
): Subquery | undefined {
  if (entries.kind !== "index") return undefined;
  const { rows, every } = outboxTable(ref.mapping);
  const fields = { ...every, xmin: sql`${rows}.xmin`.as("xmin") };
  const pieces = entries.pieces.map((piece) =>
    inOrderOf(db.select(fields).from(rows).where(pieceOf(piece, after)).$dynamic(), source, piece).limit(budget),
  );
  const [first, second, ...others] = pieces;
  return second && first ? unionAll(first, second, ...others).as("t") : first?.as("t");
}

/** For each piece, a statement for the entry at which the budget ends. */
export function lastEntries(
  db: Database,
  ref: OutboxRef,
  { source, entries }: { source: ListSource; entries: Entries },
  after: SQL,
) {
  if (entries.kind !== "index") return [];
  const { rows } = outboxTable(ref.mapping);
  const fields = { cursor: cursorOf(source.keyset) };
  return entries.pieces.map((piece) => {
    const query = db.select(fields).from(rows).where(pieceOf(piece, after)).$dynamic();
    return inOrderOf(query, source, piece)
      .offset(READ_BUDGET - 1)
      .limit(1);
  });
}

/** True if the entries come in the order of the list, so that the next page can continue from a cursor. */
export function inOrder(entries: Entries): boolean {
  return entries.kind === "index" && entries.pieces.length === 1 && entries.pieces[0]?.access.ordered === true;
}

/** Condition of the rows of one piece behind a cursor. */
function pieceOf({ access, without }: Piece, after: SQL): SQL {
  return all(access.predicate, after, ...without.map(isNotTrue));
}

function inOrderOf<Query extends { orderBy(...columns: SQL[]): Query }>(
  query: Query,
  source: ListSource,
  { access }: Piece,
): Query {
  return access.ordered ? query.orderBy(...orderBy(source.keyset)) : query;
}
