import { type SQL, sql } from "drizzle-orm";
import type { MessageFilter, MessageRow } from "#db/stores/port/message-row.ts";
import type { MessagePage } from "#db/stores/port/outbox-reader.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { encodeCursor } from "#db/stores/shared/read/cursor.ts";
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
import type { Session } from "../connection/session.ts";
import { indexesOf, READ_BUDGET } from "../plans/table-access.ts";
import { asNumber } from "../tables/column-values.ts";
import { afterCursor, cursorOf } from "../tables/keyset.ts";
import { indexFor } from "../tables/message-filter.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { selectRows } from "../tables/states/message-state.ts";
import {
  type Entries,
  entriesOf,
  entriesToCount,
  entryRows,
  inOrder,
  inReadableOrder,
  lastEntries,
} from "./list-entries.ts";
import { type ListSource, listSources } from "./list-sources.ts";
import { rowsByKeys } from "./read-entries.ts";

/** Entries that a page is first looked for in: most pages are full with these. */
const FIRST_BUDGET = 500;

/**
 * One page of messages, without payloads. Waiting messages come oldest first, all others newest first. A tab with
 * several places (dead: moved, then in the table) lists one after the other. Of a large table a limited number of index
 * entries is read: a page may end before it is full, with a cursor to continue.
 * Throws: invalid_input for a damaged cursor; filter_not_indexed for a filter that would scan a large table.
 */
export async function listMessages(
  session: Session,
  ref: OutboxRef,
  input: { filter: MessageFilter; cursor?: string | undefined; limit: number },
): Promise<ListedPage> {
  const sources: ListSource[] = [];
  for (const source of listSources(session.own, ref, input.filter))
    sources.push(await inReadableOrder(session, ref, source));
  const start = pageStart(sources, input.cursor);
  const rows: MessageRow[] = [];
  let partial: ListedPage["partial"] = null;
  for (let index = start.index; index < sources.length; index += 1) {
    const source = sources[index];
    if (!source) break;
    const wanted = input.limit - rows.length;
    const page = await readPage(session, ref, {
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

type FoundRow = MessageRow & { cursor: string[] };

async function readPage(session: Session, ref: OutboxRef, input: PageInput): Promise<SourcePage> {
  const { source, limit, filter } = input;
  const entries = await entriesOf(session, ref, source);
  if (entries.kind === "none") return nothingRead(session, ref, filter);
  const found = await findRows(session, ref, entries, input);
  const rows = found.slice(0, limit).map(({ cursor: _, ...row }) => row);
  const lastRow = found.length > limit ? found[limit - 1] : undefined;
  const end = await endOfBudget(session, ref, entries, { ...input, full: lastRow !== undefined });
  return lastRow ? { rows, last: textsOf(lastRow.cursor), partial: end.partial } : { rows, ...end };
}

/**
 * Reads few entries first if they are in order, so that a full page of them is final; otherwise up to the whole budget.
 */
async function findRows(session: Session, ref: OutboxRef, entries: Entries, input: PageInput): Promise<FoundRow[]> {
  if (inOrder(entries) && FIRST_BUDGET > input.limit) {
    const found = await pageOf(session, ref, { entries, budget: FIRST_BUDGET }, input);
    if (found.length > input.limit) return found;
  }
  return pageOf(session, ref, { entries, budget: READ_BUDGET }, input);
}

/**
 * Without a filter, returns an empty page that names the missing index instead of refusing: it is the first page people
 * open.
 */
async function nothingRead(session: Session, ref: OutboxRef, filter: MessageFilter): Promise<SourcePage> {
  const index = indexFor(ref, filter, await indexesOf(session, ref));
  if (hasFilter(filter)) throw scanRefused(index);
  return { rows: [], last: null, partial: { read: 0, index, skipped: true } };
}

/**
 * Where a page that is not full stopped: at the end of the entries, or at the end of its budget. A full page may lack
 * rows too, if its entries came in another order than the list's.
 */
async function endOfBudget(
  session: Session,
  ref: OutboxRef,
  entries: Entries,
  { source, filter, after, full }: PageInput & { full: boolean },
): Promise<Pick<SourcePage, "last" | "partial">> {
  if (entries.kind !== "index" || (full && inOrder(entries))) return { last: null, partial: null };
  const ends: { cursor: string[] }[] = [];
  for (const query of lastEntries(session, ref, { source, entries }, behind(source, after)))
    ends.push(...(await query));
  if (ends.length === 0 && !entries.unsearched) return { last: null, partial: null };
  const [end] = ends;
  const last = end && inOrder(entries) ? textsOf(end.cursor) : null;
  const index = indexFor(ref, filter, await indexesOf(session, ref));
  return { last, partial: { read: READ_BUDGET, index, skipped: last === null } };
}

/** Condition of the rows behind a cursor; without one, of all rows. */
function behind({ keyset }: ListSource, after: readonly string[] | undefined): SQL {
  return after ? afterCursor(keyset, after) : ALWAYS;
}

/**
 * The rows of a page and one more. Of rows in the team's table it first finds the keys: a sort would carry every column
 * of every entry.
 */
async function pageOf(
  session: Session,
  ref: OutboxRef,
  { entries, budget }: { entries: Entries; budget: number },
  { source, after, limit }: PageInput,
): Promise<FoundRow[]> {
  const { columns, keyset, where } = source;
  const beyond = behind(source, after);
  const rows = entryRows(ref, { source, entries }, { after: beyond, budget });
  const wanted = rows ? where : all(where, beyond);
  const fields = { ...columns, cursor: cursorOf(keyset) };
  const byKeys = source.inTable && ref.mapping.primaryKey.length > 0;
  const query = byKeys
    ? selectRows(session, ref, fields, rowsByKeys(ref, pageKeys(session, ref, { source, rows, wanted, limit }), "p"))
    : source.select(session, fields, rows).where(wanted);
  return query.orderBy(...orderBy(keyset)).limit(limit + 1);
}

/** Keys of the rows of a page, in the form of `rowsByKeys`. */
function pageKeys(
  session: Session,
  ref: OutboxRef,
  { source, rows, wanted, limit }: { source: ListSource; rows: SQL | undefined; wanted: SQL; limit: number },
): SQL {
  const { column } = outboxTable(ref.mapping);
  const keys = ref.mapping.primaryKey.map((one, at) => [`k${at}`, sql`${column(one)}`.as(`k${at}`)] as const);
  const query = source
    .select(session, Object.fromEntries(keys), rows)
    .where(wanted)
    .orderBy(...orderBy(source.keyset))
    .limit(limit + 1);
  return query.getSQL();
}

/** Number of matching messages, up to 10,000; null if unknown. */
export async function countMatching(
  session: Session,
  ref: OutboxRef,
  filter: MessageFilter,
): Promise<MessagePage["matching"]> {
  let total = 0;
  let capped = false;
  for (const source of listSources(session.own, ref, filter)) {
    const count = await countSource(session, ref, source, filter);
    if (count === null) return null;
    total += count.value;
    capped ||= count.capped;
  }
  if (capped && total === 0) return null;
  return total > MATCHING_CAP ? { value: MATCHING_CAP, capped: true } : { value: total, capped };
}

async function countSource(
  session: Session,
  ref: OutboxRef,
  source: ListSource,
  filter: MessageFilter,
): Promise<MessagePage["matching"]> {
  const entries = await entriesToCount(session, ref, source);
  if (entries.kind === "none") return null;
  if (entries.kind === "whole") {
    const found = source
      .select(session, { one: sql`1`.as("one") })
      .where(source.where)
      .limit(MATCHING_CAP + 1);
    const [row] = await session.db.select({ count: asNumber(sql`COUNT(*)`) }).from(sql`(${found.getSQL()}) found`);
    return { value: row?.count ?? 0, capped: false };
  }
  const budget = hasFilter(filter) ? READ_BUDGET : MATCHING_CAP;
  const rows = entryRows(ref, { source, entries }, { after: ALWAYS, budget: budget + 1 });
  const [row] = await source.select(
    session,
    {
      looked: asNumber(sql`COUNT(*)`),
      count: asNumber(sql`COUNT(CASE WHEN ${source.where} THEN 1 END)`),
    },
    rows,
  );
  const { looked = 0, count = 0 } = row ?? {};
  return { value: count, capped: looked > budget || entries.unsearched };
}
