import { type SQL, sql } from "drizzle-orm";
import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { InboxFigures, InboxPageRequest, InboxRow, InboxSighting } from "#db/stores/port/inbox-reader.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { encodeMessageId } from "#db/stores/port/message-id.ts";
import { decodeCursor, encodeCursor } from "#db/stores/shared/read/cursor.ts";
import type { Keyset } from "#db/stores/shared/read/keyset.ts";
import { scanRefused } from "#db/stores/shared/read/scan-refused.ts";
import { ALWAYS, all, NEVER } from "#db/stores/shared/states/conditions.ts";
import { MATCHING_CAP } from "../../shared/read/count-cap.ts";
import type { Session } from "../connection/session.ts";
import { type Order, orderBy } from "../plans/find-access.ts";
import { isSmall, sizeOf, wouldScan } from "../plans/table-access.ts";
import { ageSeconds, asNumber, instantOf, instantText, instantTextOf, NOW, textOf } from "../tables/column-values.ts";
import { fitsType } from "../tables/fits-type.ts";
import { afterCursor, cursorOf } from "../tables/keyset.ts";
import type { Selects } from "../tables/message-columns.ts";
import { equalsText } from "../tables/message-key.ts";
import { inboxTable } from "../tables/outbox-table.ts";
import { statesOfInbox } from "../tables/states/inbox-state.ts";
import { filterWhere, indexOver, rowsOf } from "./inbox-access.ts";
import { sortKeyOf } from "./list-sources.ts";

export const timeText = (mapping: InboxMapping, column: MappedColumn | null) =>
  instantTextOf(inboxTable(mapping), column?.time ? column : null);

/** One page, newest first if the table has a time, otherwise by key. Throws: invalid_input, filter_not_indexed. */
export async function listInboxRows(
  session: Session,
  mapping: InboxMapping,
  input: { filter: InboxPageRequest["filter"]; cursor?: string | undefined; limit: number },
): Promise<{ rows: InboxRow[]; nextCursor: string | null }> {
  const { order, from } = await placeOf(session, mapping, input.filter);
  const inbox = inboxTable(mapping);
  const keyset: Keyset = {
    descending: true,
    keys: order.columns.map((column) => sortKeyOf(inbox, { ...column, nullable: false })),
  };
  const scope = `inbox:${input.filter.state}:${input.filter.q ?? ""}:${input.filter.consumer ?? ""}:${keyset.keys.length}`;
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor, scope, keyset.keys.length);
  const found = await session.db
    .select({ ...rowColumns(mapping), cursor: cursorOf(keyset) })
    .from(from)
    .where(all(filterWhere(mapping, input.filter), after ? afterCursor(keyset, after) : ALWAYS))
    .orderBy(orderBy(inbox, order))
    .limit(input.limit + 1);
  const page = found.slice(0, input.limit);
  const last = found.length > input.limit ? page.at(-1) : undefined;
  return {
    rows: page.map(({ cursor: _, ...row }) => toRow(row)),
    nextCursor: last ? encodeCursor(scope, last.cursor) : null,
  };
}

/** Newest first needs a time that is never null and, on a large table, an index on it; otherwise sorts by key. */
async function placeOf(
  session: Session,
  mapping: InboxMapping,
  filter: InboxPageRequest["filter"],
): Promise<{ order: Order; from: SQL }> {
  const time = [mapping.receivedAt, mapping.processedAt].find((column) => column && !column.nullable) ?? null;
  const byKey = { columns: mapping.primaryKey, descending: true };
  const byTime = time && {
    columns: [time, ...mapping.primaryKey.filter(({ name }) => name !== time.name)],
    descending: true,
  };
  for (const order of byTime ? [byTime, byKey] : [byKey]) {
    const from = await rowsOf(session, mapping, { filter, order });
    if (from) return { order, from };
  }
  throw scanRefused(indexOver(mapping, mapping.processedAt ?? mapping.messageId));
}

type ReadRow = Omit<InboxRow, "id"> & { key: string[] };

function rowColumns(mapping: InboxMapping): Selects<ReadRow> {
  const inbox = inboxTable(mapping);
  const since = mapping.receivedAt ?? mapping.processedAt;
  const keys = mapping.primaryKey.map((column) => textOf(inbox, column));
  return {
    key: sql<string[]>`CAST(JSON_ARRAY(${sql.join(keys, sql`, `)}) AS CHAR)`.mapWith((text) =>
      JSON.parse(String(text)),
    ),
    messageId: textOf(inbox, mapping.messageId),
    consumer: textOf(inbox, mapping.consumer),
    eventType: textOf(inbox, mapping.eventType),
    state: statesOfInbox(mapping).state,
    receivedAt: timeText(mapping, mapping.receivedAt),
    processedAt: timeText(mapping, mapping.processedAt),
    ageSeconds: since?.time ? ageSeconds(instantOf(inbox, since)) : sql`NULL`,
  };
}

function toRow({ key, ...row }: ReadRow): InboxRow {
  return { id: encodeMessageId(key), ...row };
}

export async function readInboxFigures(session: Session, mapping: InboxMapping): Promise<Omit<InboxFigures, "asOf">> {
  const total = (await isSmall(session, { mapping }))
    ? await exactCount(session, mapping)
    : { value: (await sizeOf(session, { mapping })).rows, precision: "estimate" as const };
  const open = await readOpen(session, mapping, "unprocessed");
  const failed = await readOpen(session, mapping, "failed");
  const waiting = { unprocessed: open.count, oldestUnprocessedSeconds: open.oldestSeconds, failed: failed.count };
  return { total, ...waiting, ...(await readPace(session, mapping)) };
}

async function exactCount(session: Session, mapping: InboxMapping): Promise<InboxFigures["total"]> {
  const [row] = await session.db.select({ count: asNumber(sql`COUNT(*)`) }).from(inboxTable(mapping).rows);
  return { value: row?.count ?? 0, precision: "exact" };
}

/** Rows in a state, and the age of the oldest; unknown where only a scan could count them. */
async function readOpen(
  session: Session,
  mapping: InboxMapping,
  state: "unprocessed" | "failed",
): Promise<{ count: InboxFigures["unprocessed"]; oldestSeconds: number | null }> {
  const condition = statesOfInbox(mapping)[state];
  if (condition === NEVER) return { count: { value: 0, precision: "exact" }, oldestSeconds: null };
  const inbox = inboxTable(mapping);
  const since = mapping.receivedAt?.time ? instantOf(inbox, mapping.receivedAt) : sql`CAST(NULL AS DATETIME(6))`;
  const from = await rowsOf(session, mapping, { filter: { state }, order: null });
  if (!from) return { count: { value: 0, precision: "unknown" }, oldestSeconds: null };
  const waiting = sql`SELECT ${since} AS since FROM ${from} WHERE ${condition} LIMIT ${sql.raw(String(MATCHING_CAP + 1))}`;
  const [row] = await session.db
    .select({ count: asNumber(sql`COUNT(*)`), oldest: ageSeconds(sql`MIN(since)`) })
    .from(sql`(${waiting}) waiting`);
  const count = row?.count ?? 0;
  return {
    count: count > MATCHING_CAP ? { value: MATCHING_CAP, precision: "capped" } : { value: count, precision: "exact" },
    oldestSeconds: row?.oldest ?? null,
  };
}

/** Number of newest rows from which the pace is computed. If all are of the last minute, it is not known. */
const PACE_ROWS = 5000;

async function readPace(
  session: Session,
  mapping: InboxMapping,
): Promise<Pick<InboxFigures, "lastProcessedAt" | "perMinute">> {
  const time = mapping.processedAt ?? mapping.receivedAt;
  if (!time?.time) return { lastProcessedAt: null, perMinute: null };
  const inbox = inboxTable(mapping);
  const column = inbox.column(time);
  // A time of receipt says nothing about processing.
  const isDone = mapping.processedAt ? statesOfInbox(mapping).processed : NEVER;
  // Nulls come last, so that the newest need no condition that a server might take for a search.
  const newest = sql`SELECT ${instantOf(inbox, time)} AS at, ${isDone} AS done FROM ${inbox.table} ${inbox.rows} ORDER BY ${column} DESC LIMIT ${sql.raw(String(PACE_ROWS))}`;
  if (await wouldScan(session, { mapping }, newest)) return { lastProcessedAt: null, perMinute: null };
  const [row] = await session.db
    .select({
      last: instantText(sql`MAX(CASE WHEN done THEN at END)`),
      recent: asNumber(sql`COUNT(CASE WHEN at > ${NOW} - INTERVAL 1 MINUTE THEN 1 END)`),
    })
    .from(sql`(${newest}) newest`);
  return { lastProcessedAt: row?.last ?? null, perMinute: row && row.recent < PACE_ROWS ? row.recent : null };
}

/**
 * The inbox's rows for an event, at most 50, with their consumers if the table has such a column. Throws
 * filter_not_indexed.
 */
export async function findInboxSightings(
  session: Session,
  mapping: InboxMapping,
  eventId: string,
): Promise<InboxSighting[]> {
  const { processedAt, receivedAt, messageId } = mapping;
  if (!fitsType(eventId, messageId.type)) return [];
  const inbox = inboxTable(mapping);
  const query = session.db
    .select({
      consumer: textOf(inbox, mapping.consumer),
      state: statesOfInbox(mapping).state,
      at: sql<string | null>`coalesce(${timeText(mapping, processedAt)}, ${timeText(mapping, receivedAt)})`,
    })
    .from(inbox.rows)
    .where(equalsText(inbox, messageId, eventId))
    .limit(50);
  if (await wouldScan(session, { mapping }, query)) throw scanRefused(indexOver(mapping, messageId));
  return query;
}
