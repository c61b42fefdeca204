import { type SQL, sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { all, isNotTrue } from "#db/stores/shared/states/conditions.ts";
import type { Session } from "../connection/session.ts";
import { type Access, bestForList } from "../plans/find-access.ts";
import {
  accessesOf,
  isAffordable,
  isSmall,
  partBases,
  READ_BUDGET,
  type Reading,
  readingOf,
} from "../plans/table-access.ts";
import { both, type Piece, type Pieces } from "../tables/index-pieces.ts";
import { cursorOf } from "../tables/keyset.ts";
import type { ListSource } from "./list-sources.ts";
import { entryKeys, rowsByKeys, type Search } from "./read-entries.ts";

/** How a list reads the team's table. */
export type Entries =
  /** Scan: the table is small, or the scan is affordable. */
  | { kind: "whole" }
  /**
   * Through indexes, with a budget of entries. `unsearched`: part of the search has no index and no entries. `apart`: a
   * wide search must not use up the budget of the others. `few`: by the estimate all entries are within the budget.
   */
  | { kind: "index"; searches: readonly Search[]; unsearched: boolean; apart?: boolean; few?: boolean }
  /** Only a scan could answer. */
  | { kind: "none" };

const NO_ORDER = { columns: [], descending: false };

/** How a list finds its rows without reading the rest of a large table. Reads only plans. */
export async function entriesOf(session: Session, ref: OutboxRef, source: ListSource): Promise<Entries> {
  if (source.search === null || (await isSmall(session, ref))) return { kind: "whole" };
  const { every, either, range } = source.search;
  const filtered = every.length + either.length + range.length > 0;
  const entries = filtered ? await searched(session, ref, source) : toEntries(await partReading(session, ref, source));
  return entries.kind === "none" && (await isAffordable(session, ref)) ? { kind: "whole" } : entries;
}

/** The same for a count: of a whole part an index may hold just the rows, though not in the order of the list. */
export async function entriesToCount(session: Session, ref: OutboxRef, source: ListSource): Promise<Entries> {
  const { every = [], either = [], range = [], part } = source.search ?? {};
  const filtered = every.length + either.length + range.length > 0;
  if (part === undefined || filtered || (await isSmall(session, ref))) return entriesOf(session, ref, source);
  return toEntries(await readingOf(session, ref, part, { order: source.order ?? NO_ORDER, use: "count" }));
}

function partReading(session: Session, ref: OutboxRef, source: ListSource): Promise<Reading> {
  return readingOf(session, ref, source.search?.part ?? "waiting", { order: source.order ?? NO_ORDER });
}

function toEntries(reading: Reading): Entries {
  if (reading.kind !== "index") return reading;
  return {
    kind: "index",
    searches: searchesOf(reading.access),
    unsearched: false,
    few: reading.access.rows <= READ_BUDGET,
  };
}

function searchesOf({ index, ordered, pieces }: Access, without: readonly SQL[] = []): Search[] {
  return pieces.map(({ where }) => ({ index, ordered, where: all(where, ...without.map(isNotTrue)) }));
}

/** Uses the index of a filtered column or that of the state, whichever has fewer entries. */
async function searched(session: Session, ref: OutboxRef, source: ListSource): Promise<Entries> {
  const { every = [], either = [], range = [], part = "waiting" } = source.search ?? {};
  const find = async (bases: readonly Pieces[]) =>
    bestForList(await accessesOf(session, ref, { bases, order: source.order ?? NO_ORDER }));
  const found: Access[] = [];
  const within = joined(range);
  for (const piece of [...every, ...(within ? [within] : [])]) {
    const access = await find([...partBases(ref, part).map((pieces) => both(pieces, piece)), [piece]]);
    if (access) found.push({ ...access, exact: false });
  }
  if (either.length > 0) return searchedEither(session, ref, source, { find, others: found });
  const narrowest = found.sort((left, right) => left.rows - right.rows)[0];
  if (narrowest) return toEntries({ kind: "index", access: narrowest });
  return indexed(toEntries(await partReading(session, ref, source)));
}

/** Both limits of a time as one condition. */
function joined(range: readonly Piece[]): Piece | null {
  const [first] = range;
  return first ? { ...first, where: all(...range.map(({ where }) => where)) } : null;
}

/** Searches alternatives through their own indexes; those without one among the entries of the state. */
async function searchedEither(
  session: Session,
  ref: OutboxRef,
  source: ListSource,
  { find, others }: { find: (bases: readonly Pieces[]) => Promise<Access | null>; others: readonly Access[] },
): Promise<Entries> {
  const searches: Search[] = [];
  const done: SQL[] = [];
  let unserved = 0;
  for (const piece of source.search?.either ?? []) {
    const access = await find([[piece]]);
    if (access) {
      searches.push(...searchesOf(access, done));
      done.push(piece.where);
    } else unserved += 1;
  }
  if (unserved === 0) return { kind: "index", searches, unsearched: false };
  if (source.search?.strict && others.length === 0) return { kind: "none" };
  const rest = others[0] ? { access: others[0] } : await partReading(session, ref, source);
  if ("access" in rest)
    return {
      kind: "index",
      searches: [...searches, ...searchesOf(rest.access, done)],
      unsearched: false,
      apart: searches.length > 0,
    };
  return searches.length === 0 ? { kind: "none" } : { kind: "index", searches, unsearched: true };
}

/** With a filter a scan is allowed only if it is affordable, which the caller judges. */
function indexed(entries: Entries): Entries {
  return entries.kind === "index" ? entries : { kind: "none" };
}

/** The entries as a FROM item of rows `t`; undefined for the table itself. */
export function entryRows(
  ref: OutboxRef,
  { source, entries }: { source: ListSource; entries: Entries },
  { after, budget }: { after: SQL; budget: number },
): SQL | undefined {
  if (entries.kind !== "index") return undefined;
  return rowsByKeys(
    ref,
    entryKeys(ref, entries.searches, { order: source.order, after, budget, apart: entries.apart ?? false }),
  );
}

/** Statements for the entry at which the budget ends: one if the entries are in order, otherwise one per search. */
export function lastEntries(
  session: Session,
  ref: OutboxRef,
  { source, entries }: { source: ListSource; entries: Entries },
  after: SQL,
) {
  if (entries.kind !== "index") return [];
  const cut = { order: source.order, after, budget: 1, offset: READ_BUDGET - 1 };
  const parts = inOrder(entries) ? [entries.searches] : entries.searches.map((search) => [search]);
  return parts.map((searches) =>
    session.db
      .select({ cursor: cursorOf(source.keyset) })
      .from(rowsByKeys(ref, entryKeys(ref, searches, cut)))
      .where(sql`true`),
  );
}

/**
 * The source in the first of its orders in which the list can be read: an index has its entries in that order, or they
 * are few enough to be sorted. Its own order if there is none.
 */
export async function inReadableOrder(session: Session, ref: OutboxRef, source: ListSource): Promise<ListSource> {
  if (source.otherwise === undefined) return source;
  const own = await entriesOf(session, ref, source);
  if (own.kind !== "index" || own.few || inOrder(own)) return source;
  return inOrder(await entriesOf(session, ref, source.otherwise)) ? source.otherwise : source;
}

/** True if the entries come in the order of the list, so that the next page can continue from a cursor. */
export function inOrder(entries: Entries): boolean {
  return entries.kind === "index" && !entries.apart && entries.searches.every(({ ordered }) => ordered);
}
