import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { InboxFigures, InboxPageRequest, InboxRow, InboxSighting } from "#db/stores/port/inbox-reader.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { encodeMessageId } from "#db/stores/port/message-id.ts";
import { fitsType } from "#db/stores/postgres/tables/fits-type.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { badCursorError, decodeCursor, encodeCursor } from "#db/stores/shared/read/cursor.ts";
import { type Keyset, orderBy } from "#db/stores/shared/read/keyset.ts";
import { ALWAYS, all, NEVER } from "#db/stores/shared/states/conditions.ts";
import { MATCHING_CAP } from "../../shared/read/count-cap.ts";
import { toIndexText } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { refuseScan, wouldScan } from "../plans/query-cost.ts";
import { ageOf, greatestAge, instantOf, instantText, instantTextOf, keyText, textOf } from "../tables/column-values.ts";
import { afterCursor, cursorOf, isBadCursorValue } from "../tables/keyset.ts";
import type { Selects } from "../tables/message-columns.ts";
import { equals, equalsIfFits } from "../tables/message-filter.ts";
import { inboxTable, regclass } from "../tables/outbox-table.ts";
import { statesOfInbox } from "../tables/states/inbox-state.ts";

export const timeText = (mapping: InboxMapping, column: MappedColumn | null) =>
  instantTextOf(inboxTable(mapping), column?.time ? column : null);

function whereOf(mapping: InboxMapping, { state, q, consumer }: InboxPageRequest["filter"]): SQL {
  const inbox = inboxTable(mapping);
  return all(
    state === "all" ? ALWAYS : statesOfInbox(mapping)[state],
    q ? equalsIfFits(inbox, mapping.messageId, q) : ALWAYS,
    consumer ? equalsIfFits(inbox, mapping.consumer, consumer) : ALWAYS,
  );
}

/** One page, newest first if the table has a time, otherwise by key. Throws: invalid_input, filter_not_indexed. */
export async function listInboxRows(
  client: PoolClient,
  mapping: InboxMapping,
  input: { filter: InboxPageRequest["filter"]; cursor?: string | undefined; limit: number },
): Promise<{ rows: InboxRow[]; nextCursor: string | null }> {
  const keyset = await keysetOf(client, mapping, input.filter);
  const scope = `inbox:${input.filter.state}:${input.filter.q ?? ""}:${input.filter.consumer ?? ""}:${keyset.keys.length}`;
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor, scope, keyset.keys.length);
  try {
    const query = queryOn(client)
      .select({ ...rowColumns(mapping), cursor: cursorOf(keyset) })
      .from(inboxTable(mapping).rows)
      .where(all(whereOf(mapping, input.filter), after ? afterCursor(keyset, after) : ALWAYS))
      .orderBy(...orderBy(keyset))
      .limit(input.limit + 1);
    await refuseScan(client, query, indexOver(mapping, mapping.processedAt ?? mapping.messageId, " DESC"));
    const found = await query;
    const page = found.slice(0, input.limit);
    const last = found.length > input.limit ? page.at(-1) : undefined;
    return { rows: page.map(toRow), nextCursor: last ? encodeCursor(scope, last.cursor) : null };
  } catch (error) {
    if (after && isBadCursorValue(errorCode(error))) throw badCursorError();
    throw error;
  }
}

export function indexOver(mapping: InboxMapping, column: MappedColumn, order = ""): string {
  const inbox = inboxTable(mapping);
  return toIndexText(sql`CREATE INDEX CONCURRENTLY ON ${inbox.table} (${inbox.column(column)}${sql.raw(order)});`);
}

type ReadRow = Omit<InboxRow, "id"> & { key: string[] };

function rowColumns(mapping: InboxMapping): Selects<ReadRow> {
  const inbox = inboxTable(mapping);
  const since = mapping.receivedAt ?? mapping.processedAt;
  const keys = mapping.primaryKey.map((column) => keyText(inbox, column));
  return {
    key: sql`ARRAY[${sql.join(keys, sql`, `)}]`,
    messageId: textOf(inbox, mapping.messageId),
    consumer: textOf(inbox, mapping.consumer),
    eventType: textOf(inbox, mapping.eventType),
    state: statesOfInbox(mapping).state,
    receivedAt: timeText(mapping, mapping.receivedAt),
    processedAt: timeText(mapping, mapping.processedAt),
    ageSeconds: since?.time ? ageOf(instantOf(inbox, since)) : sql`NULL::float8`,
  };
}

function toRow(row: ReadRow): InboxRow {
  const { messageId, consumer, eventType, state, receivedAt, processedAt, ageSeconds } = row;
  return { id: encodeMessageId(row.key), messageId, consumer, eventType, state, receivedAt, processedAt, ageSeconds };
}

/** Newest first needs a non-null time and, on a large table, an index on it; otherwise sorts by key. */
async function keysetOf(
  client: PoolClient,
  mapping: InboxMapping,
  filter: InboxPageRequest["filter"],
): Promise<Keyset> {
  const time = [mapping.receivedAt, mapping.processedAt].find((column) => column && !column.nullable) ?? null;
  const columns = [...(time ? [time] : []), ...mapping.primaryKey.filter((column) => column.name !== time?.name)];
  const inbox = inboxTable(mapping);
  const keysetOver = (list: readonly MappedColumn[]): Keyset => ({
    descending: true,
    keys: list.map((column) => ({ value: inbox.column(column), text: keyText(inbox, column), type: column.type })),
  });
  if (!time) return keysetOver(columns);
  const probe = queryOn(client)
    .select({ one: sql`1` })
    .from(inbox.rows)
    .where(whereOf(mapping, filter))
    .orderBy(...orderBy(keysetOver(columns)))
    .limit(50);
  return (await wouldScan(client, probe)) ? keysetOver(mapping.primaryKey) : keysetOver(columns);
}

const SMALL_TABLE_ROWS = 50_000;

export async function readInboxFigures(client: PoolClient, mapping: InboxMapping): Promise<Omit<InboxFigures, "asOf">> {
  const estimate = await queryOn(client).execute<{ rows: number }>(
    sql`SELECT reltuples::float8 AS rows FROM pg_class WHERE oid = ${regclass(mapping.table)}`,
  );
  const rows = estimate.rows[0]?.rows ?? -1;
  const total =
    rows >= 0 && rows > SMALL_TABLE_ROWS
      ? { value: Math.round(rows), precision: "estimate" as const }
      : await exactCount(client, mapping);
  const open = await readOpen(client, mapping, statesOfInbox(mapping).unprocessed);
  const failed = await readOpen(client, mapping, statesOfInbox(mapping).failed);
  const waiting = { unprocessed: open.count, oldestUnprocessedSeconds: open.oldestSeconds, failed: failed.count };
  return { total, ...waiting, ...(await readPace(client, mapping)) };
}

/** Most rows counted in a table that was never analysed. */
const TOTAL_CAP = 1_000_000;

async function exactCount(client: PoolClient, mapping: InboxMapping): Promise<InboxFigures["total"]> {
  const db = queryOn(client);
  const found = db
    .select({ one: sql`1`.as("one") })
    .from(inboxTable(mapping).rows)
    .limit(TOTAL_CAP)
    .as("found");
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(found);
  const value = row?.count ?? 0;
  return { value, precision: value < TOTAL_CAP ? "exact" : "capped" };
}

/** Number of rows that match a condition, and the age of the oldest; unknown where only a scan could count them. */
async function readOpen(
  client: PoolClient,
  mapping: InboxMapping,
  condition: SQL,
): Promise<{ count: InboxFigures["unprocessed"]; oldestSeconds: number | null }> {
  if (condition === NEVER) return { count: { value: 0, precision: "exact" }, oldestSeconds: null };
  const db = queryOn(client);
  const inbox = inboxTable(mapping);
  const since = mapping.receivedAt?.time ? instantOf(inbox, mapping.receivedAt) : sql`NULL::timestamptz`;
  const waiting = db
    .select({ since: sql`${since}`.as("since") })
    .from(inbox.rows)
    .where(condition)
    .limit(MATCHING_CAP + 1)
    .as("waiting");
  const query = db
    .select({
      count: sql<number>`count(*)::int`,
      oldest: greatestAge(sql`since`),
    })
    .from(waiting);
  if (await wouldScan(client, query)) return { count: { value: 0, precision: "unknown" }, oldestSeconds: null };
  const [row] = await query;
  const count = row?.count ?? 0;
  return {
    count: count > MATCHING_CAP ? { value: MATCHING_CAP, precision: "capped" } : { value: count, precision: "exact" },
    oldestSeconds: row?.oldest ?? null,
  };
}

/** Number of newest rows from which the pace is computed. If all are of the last minute, it is not known. */
const PACE_ROWS = 5000;

async function readPace(
  client: PoolClient,
  mapping: InboxMapping,
): Promise<Pick<InboxFigures, "lastProcessedAt" | "perMinute">> {
  const time = mapping.processedAt ?? mapping.receivedAt;
  if (!time?.time) return { lastProcessedAt: null, perMinute: null };
  const db = queryOn(client);
  const inbox = inboxTable(mapping);
  // A time of receipt says nothing about processing.
  const isDone = mapping.processedAt ? statesOfInbox(mapping).processed : NEVER;
  const newest = db
    .select({ at: sql`${instantOf(inbox, time)}`.as("at"), done: sql`${isDone}`.as("done") })
    .from(inbox.rows)
    .where(sql`${inbox.column(time)} IS NOT NULL`)
    .orderBy(sql`${inbox.column(time)} DESC`)
    .limit(PACE_ROWS)
    .as("newest");
  const query = db
    .select({
      last: instantText(sql`max(at) FILTER (WHERE done)`),
      recent: sql<number>`(count(*) FILTER (WHERE at > clock_timestamp() - interval '1 minute'))::int`,
    })
    .from(newest);
  if (await wouldScan(client, query)) return { lastProcessedAt: null, perMinute: null };
  const [row] = await query;
  return { lastProcessedAt: row?.last ?? null, perMinute: row && row.recent < PACE_ROWS ? row.recent : null };
}

/**
 * The inbox's rows for an event, at most 50, with their consumers if the table has such a column. Throws
 * filter_not_indexed.
 */
export async function findInboxSightings(
  client: PoolClient,
  mapping: InboxMapping,
  eventId: string,
): Promise<InboxSighting[]> {
  if (!fitsType(eventId, mapping.messageId.type)) return [];
  const inbox = inboxTable(mapping);
  const { processedAt, receivedAt, messageId } = mapping;
  const query = queryOn(client)
    .select({
      consumer: textOf(inbox, mapping.consumer),
      state: statesOfInbox(mapping).state,
      at: sql<string | null>`coalesce(${timeText(mapping, processedAt)}, ${timeText(mapping, receivedAt)})`,
    })
    .from(inbox.rows)
    .where(equals(inbox, messageId, eventId))
    .limit(50);
  await refuseScan(client, query, indexOver(mapping, messageId));
  return query;
}
