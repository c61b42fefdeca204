import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { MessageFilter, MessageRow } from "#db/stores/port/message-row.ts";
import type { MessagePage } from "#db/stores/port/outbox-reader.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { badCursorError, encodeCursor } from "#db/stores/shared/read/cursor.ts";
import { hasFilter } from "#db/stores/shared/read/filter-scope.ts";
import { orderBy } from "#db/stores/shared/read/keyset.ts";
import {
  joinPartial,
  type ListedPage,
  pageStart,
  type SourcePage,
  textsOf,
} from "#db/stores/shared/read/listed-page.ts";
import { scanRefused } from "#db/stores/shared/read/scan-refused.ts";
import { ALWAYS, all } from "#db/stores/shared/states/conditions.ts";
import { MATCHING_CAP } from "../../shared/read/count-cap.ts";
import { toText } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { withIndexesOnly } from "../plans/find-access.ts";
import { READ_BUDGET } from "../plans/table-access.ts";
import { withKeyLookups } from "../plans/with-key-lookups.ts";
import { afterCursor, cursorOf, isBadCursorValue } from "../tables/keyset.ts";
import { indexFor } from "../tables/message-filter.ts";
import { type Entries, entriesOf, entryRows, inOrder, lastEntries } from "./list-entries.ts";
import { type ListSource, listSources } from "./list-sources.ts";

/**
 * One page of messages, without payloads. Waiting messages come oldest first, all others newest first. A tab with
 * several places (dead: moved, then in the table) lists one after the other. Of a large table a limited number of index
 * entries is read: a page may end before it is full, with a cursor to continue.
 * Throws: invalid_input for a damaged cursor; filter_not_indexed for a filter that would scan a large table.
 */
export async function listMessages(
  client: PoolClient,
  ref: OutboxRef,
  input: { filter: MessageFilter; cursor?: string | undefined; limit: number },
): Promise<ListedPage> {
  const sources = listSources(ref, input.filter);
  const start = pageStart(sources, input.cursor);
  const rows: MessageRow[] = [];
  let partial: ListedPage["partial"] = null;
  for (let index = start.index; index < sources.length; index += 1) {
    const source = sources[index];
    if (!source) break;
    const wanted = input.limit - rows.length;
    const page = await readPage(client, ref, {
      source,
      filter: input.filter,
      after: index === start.index ? start.after : undefined,
      limit: wanted,
    });
    rows.push(...page.rows);
    partial = joinPartial(partial, page.partial);
    if (page.last) return { rows, nextCursor: encodeCursor(source.scope, page.last), partial };
    if (rows.length >= input.limit && sources[index + 1])
      return { rows, nextCursor: encodeCursor(sources[index + 1]?.scope ?? "", ["start"]), partial };
  }
  return { rows, nextCursor: null, partial };
}

interface PageInput {
  source: ListSource;
  filter: MessageFilter;
  after: string[] | undefined;
  limit: number;
}

async function readPage(client: PoolClient, ref: OutboxRef, input: PageInput): Promise<SourcePage> {
  const { source, after, limit, filter } = input;
  try {
    const entries = await entriesOf(client, ref, source);
    if (entries.kind === "none") return nothingRead(ref, filter);
    const query = pageOf(client, ref, entries, input);
    const found = await boundedBy(client, source, entries, () => query);
    const rows = found.slice(0, limit).map(({ cursor: _, ...row }) => row);
    const lastRow = found.length > limit ? found[limit - 1] : undefined;
    const end = await endOfBudget(client, ref, entries, { ...input, full: lastRow !== undefined });
    return lastRow ? { rows, last: textsOf(lastRow.cursor), partial: end.partial } : { rows, ...end };
  } catch (error) {
    if (after && isBadCursorValue(errorCode(error))) throw badCursorError();
    throw error;
  }
}

/**
 * Without a filter, returns an empty page that names the missing index instead of refusing: it is the first page people
 * open.
 */
function nothingRead(ref: OutboxRef, filter: MessageFilter): SourcePage {
  const index = indexFor(ref, filter);
  if (hasFilter(filter)) throw scanRefused(index);
  return { rows: [], last: null, partial: { read: 0, index, skipped: true } };
}

/**
 * Where a page that is not full stopped: at the end of the entries, or at the end of its budget. A full page may lack
 * rows too, if its entries came in another order than the list's.
 */
async function endOfBudget(
  client: PoolClient,
  ref: OutboxRef,
  entries: Entries,
  { source, filter, after, full }: PageInput & { full: boolean },
): Promise<Pick<SourcePage, "last" | "partial">> {
  if (entries.kind !== "index" || (full && inOrder(entries))) return { last: null, partial: null };
  const ends: { cursor: string[] }[] = [];
  for (const query of lastEntries(queryOn(client), ref, { source, entries }, behind(source, after)))
    ends.push(...(await withIndexesOnly(client, () => query)));
  if (ends.length === 0 && !entries.unsearched) return { last: null, partial: null };
  const [end] = ends;
  const last = end && inOrder(entries) ? textsOf(end.cursor) : null;
  const index = areExact(entries) ? "" : indexFor(ref, filter);
  return { last, partial: { read: READ_BUDGET, index, skipped: last === null } };
}

/** The entries are those of the part of the table, in order: the index that could be recommended is there. */
function areExact(entries: Entries): boolean {
  return inOrder(entries) && entries.kind === "index" && entries.pieces[0]?.access.exact === true;
}

/** Condition of the rows behind a cursor; without one, of all rows. */
function behind({ keyset }: ListSource, after: readonly string[] | undefined): SQL {
  return after ? afterCursor(keyset, after) : ALWAYS;
}

function pageOf(client: PoolClient, ref: OutboxRef, entries: Entries, { source, after, limit }: PageInput) {
  const db = queryOn(client);
  const { columns, keyset, where } = source;
  const beyond = behind(source, after);
  const rows = entryRows(db, ref, { source, entries }, { after: beyond, budget: READ_BUDGET });
  return source
    .select(db, { ...columns, cursor: cursorOf(keyset) }, rows)
    .where(rows ? where : all(where, beyond))
    .orderBy(...orderBy(keyset))
    .limit(limit + 1);
}

/** Number of matching messages, up to 10,000; null if unknown. */
export async function countMatching(
  client: PoolClient,
  ref: OutboxRef,
  filter: MessageFilter,
): Promise<MessagePage["matching"]> {
  let total = 0;
  let capped = false;
  for (const source of listSources(ref, filter)) {
    const count = await countSource(client, ref, source, filter);
    if (count === null) return null;
    total += count.value;
    capped ||= count.capped;
  }
  if (capped && total === 0) return null;
  return total > MATCHING_CAP ? { value: MATCHING_CAP, capped: true } : { value: total, capped };
}

async function countSource(
  client: PoolClient,
  ref: OutboxRef,
  source: ListSource,
  filter: MessageFilter,
): Promise<MessagePage["matching"]> {
  const entries = await entriesOf(client, ref, source, "count");
  if (entries.kind === "none") return null;
  const db = queryOn(client);
  if (entries.kind === "whole") {
    const found = source
      .select(db, { one: sql`1`.as("one") })
      .where(source.where)
      .limit(MATCHING_CAP + 1)
      .as("found");
    const counted = db.select({ count: sql<number>`count(*)::int` }).from(found);
    const [row] = await boundedBy(client, source, entries, () => counted);
    return { value: row?.count ?? 0, capped: false };
  }
  const budget = hasFilter(filter) ? READ_BUDGET : MATCHING_CAP;
  const rows = entryRows(db, ref, { source, entries }, { after: ALWAYS, budget: budget + 1 });
  const looked = sql<number>`count(*)::int`;
  // Where every entry is wanted, the index alone answers.
  const counted = areAll(source, entries) ? looked : sql<number>`count(*) FILTER (WHERE ${source.where})::int`;
  const query = source.select(db, { looked, count: counted }, rows);
  const [row] = await withIndexesOnly(client, () => query);
  return { value: row?.count ?? 0, capped: (row?.looked ?? 0) > budget || entries.unsearched };
}

/** Runs a read with what keeps it from reading the rest of a large table. */
function boundedBy<T>(
  client: PoolClient,
  { search, recordsInOrder }: ListSource,
  { kind }: Entries,
  read: () => PromiseLike<T>,
) {
  if (kind === "index") return withIndexesOnly(client, read);
  return search === null ? withKeyLookups(client, { ordered: recordsInOrder ?? false }, read) : read();
}

/** True if the entries are the rows of the source, and no others. */
function areAll({ where }: ListSource, entries: Entries): boolean {
  if (entries.kind !== "index" || entries.pieces.length !== 1) return false;
  const [piece] = entries.pieces;
  return piece?.access.exact === true && toText(piece.access.predicate) === toText(where);
}
