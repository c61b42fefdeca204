import type { PoolClient } from "pg";
import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { encodeMessageId } from "#db/stores/port/message-id.ts";
import { errorCode } from "../connection/database-error.ts";
import { refuseScan, wouldScan } from "../plans/query-cost.ts";
import {
  afterCursor,
  badCursorError,
  cursorColumns,
  decodeCursor,
  encodeCursor,
  isBadCursorValue,
  type Keyset,
  orderBy,
} from "../tables/keyset.ts";
import {
  columnSql,
  instantExpression,
  instantText,
  keyText,
  quoteIdentifier,
  quoteTable,
} from "../tables/mapping-sql.ts";
import { Conditions, equalsSql, fitsType } from "../tables/message-filter.ts";

export interface InboxRow {
  id: string;
  messageId: string | null;
  consumer: string | null;
  eventType: string | null;
  state: "processed" | "unprocessed";
  receivedAt: string | null;
  processedAt: string | null;
  ageSeconds: number | null;
}

export interface InboxFilter {
  state: "all" | "unprocessed" | "processed";
  q?: string | undefined;
  consumer?: string | undefined;
}

const text = (column: MappedColumn | null) => (column ? `${columnSql(column, "t")}::text` : "NULL::text");
const at = (column: MappedColumn | null) => (column?.time ? instantText(instantExpression(column, "t")) : "NULL::text");

function processedSql(mapping: InboxMapping): string {
  return mapping.tracksProcessing && mapping.processedAt
    ? `${columnSql(mapping.processedAt, "t")} IS NOT NULL`
    : "true";
}

function conditionsOf(mapping: InboxMapping, filter: InboxFilter): Conditions {
  const conditions = new Conditions([]);
  if (filter.state !== "all")
    conditions.add(filter.state === "processed" ? processedSql(mapping) : `NOT (${processedSql(mapping)})`);
  if (filter.q) {
    const { messageId } = mapping;
    conditions.add(fitsType(filter.q, messageId.type) ? equalsSql(messageId, conditions.parameter(filter.q)) : "false");
  }
  if (filter.consumer)
    conditions.add(
      mapping.consumer && fitsType(filter.consumer, mapping.consumer.type)
        ? equalsSql(mapping.consumer, conditions.parameter(filter.consumer))
        : "false",
    );
  return conditions;
}

/** One page, newest first where the table has a time, else by key. Throws: invalid_input, filter_not_indexed. */
export async function listInboxRows(
  client: PoolClient,
  mapping: InboxMapping,
  input: { filter: InboxFilter; cursor?: string | undefined; limit: number },
): Promise<{ rows: InboxRow[]; nextCursor: string | null }> {
  const keyset = await keysetOf(client, mapping, input.filter);
  const conditions = conditionsOf(mapping, input.filter);
  const scope = `inbox:${input.filter.state}:${input.filter.q ?? ""}:${input.filter.consumer ?? ""}:${keyset.keys.length}`;
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor, scope, keyset.keys.length);
  const beyond = after ? afterCursor(keyset, after, conditions.values.length + 1) : undefined;
  const afterSql = beyond ? `AND ${beyond.sql}` : "";
  const sql = `SELECT ${rowColumns(mapping)}, ${cursorColumns(keyset)} FROM ${quoteTable(mapping.table)} t
    WHERE ${conditions.where()} ${afterSql} ORDER BY ${orderBy(keyset)} LIMIT ${input.limit + 1}`;
  const values = [...conditions.values, ...(beyond?.values ?? [])];
  try {
    await refuseScan(
      client,
      sql,
      values,
      `CREATE INDEX CONCURRENTLY ON ${quoteTable(mapping.table)} (${quoteIdentifier((mapping.processedAt ?? mapping.messageId).name)} DESC);`,
    );
    const result = await client.query<InboxRow & { key: string[] } & Record<string, string>>({ text: sql, values });
    const page = result.rows.slice(0, input.limit);
    const last = result.rows.length > input.limit ? page.at(-1) : undefined;
    return {
      rows: page.map(toRow),
      nextCursor: last
        ? encodeCursor(
            scope,
            keyset.keys.map((_, index) => last[`cursor${index}`] ?? ""),
          )
        : null,
    };
  } catch (error) {
    if (after && isBadCursorValue(errorCode(error))) throw badCursorError();
    throw error;
  }
}

function rowColumns(mapping: InboxMapping): string {
  const since = mapping.receivedAt ?? mapping.processedAt;
  return `ARRAY[${mapping.primaryKey.map((column) => keyText(column, "t")).join(", ")}] AS key, ${text(mapping.messageId)} AS "messageId", ${text(mapping.consumer)} AS consumer,
    ${text(mapping.eventType)} AS "eventType", CASE WHEN ${processedSql(mapping)} THEN 'processed' ELSE 'unprocessed' END AS state, ${at(mapping.receivedAt)} AS "receivedAt",
    ${at(mapping.processedAt)} AS "processedAt", ${since?.time ? `extract(epoch FROM clock_timestamp() - ${instantExpression(since, "t")})::float8` : "NULL::float8"} AS "ageSeconds"`;
}

function toRow(row: InboxRow & { key: string[] }): InboxRow {
  const { messageId, consumer, eventType, state, receivedAt, processedAt, ageSeconds } = row;
  return { id: encodeMessageId(row.key), messageId, consumer, eventType, state, receivedAt, processedAt, ageSeconds };
}

/** Newest first needs a time that is never null and an index on it once the table is large; else the key leads. */
async function keysetOf(client: PoolClient, mapping: InboxMapping, filter: InboxFilter): Promise<Keyset> {
  const time = [mapping.receivedAt, mapping.processedAt].find((column) => column && !column.nullable) ?? null;
  const columns = [...(time ? [time] : []), ...mapping.primaryKey.filter((column) => column.name !== time?.name)];
  const keysetOver = (list: MappedColumn[]): Keyset => ({
    descending: true,
    keys: list.map((column) => ({ sql: columnSql(column, "t"), text: keyText(column, "t"), type: column.type })),
  });
  if (!time) return keysetOver(columns);
  const conditions = conditionsOf(mapping, filter);
  const probe = `SELECT 1 FROM ${quoteTable(mapping.table)} t WHERE ${conditions.where()} ORDER BY ${orderBy(keysetOver(columns))} LIMIT 50`;
  return (await wouldScan(client, probe, conditions.values)) ? keysetOver(mapping.primaryKey) : keysetOver(columns);
}

export interface InboxFigures {
  total: { value: number; precision: "exact" | "estimate" };
  unprocessed: { value: number; precision: "exact" | "capped" | "unknown" };
  oldestUnprocessedSeconds: number | null;
  lastProcessedAt: string | null;
  perMinute: number | null;
}

const COUNT_CAP = 10_000;
const SMALL_TABLE_ROWS = 50_000;

export async function readInboxFigures(client: PoolClient, mapping: InboxMapping): Promise<InboxFigures> {
  const table = quoteTable(mapping.table);
  const estimate = await client.query<{ rows: number }>(
    "SELECT reltuples::float8 AS rows FROM pg_class WHERE oid = $1::regclass",
    [table],
  );
  const rows = estimate.rows[0]?.rows ?? -1;
  const total =
    rows >= 0 && rows > SMALL_TABLE_ROWS
      ? { value: Math.round(rows), precision: "estimate" as const }
      : await exactCount(client, table);
  const unprocessed = await readUnprocessed(client, mapping);
  return { total, ...unprocessed, ...(await readPace(client, mapping)) };
}

async function exactCount(client: PoolClient, table: string): Promise<InboxFigures["total"]> {
  const capped = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${table} LIMIT 1000000) found`,
  );
  return { value: capped.rows[0]?.count ?? 0, precision: "exact" };
}

async function readUnprocessed(
  client: PoolClient,
  mapping: InboxMapping,
): Promise<Pick<InboxFigures, "unprocessed" | "oldestUnprocessedSeconds">> {
  if (!mapping.tracksProcessing)
    return { unprocessed: { value: 0, precision: "exact" }, oldestUnprocessedSeconds: null };
  const since = mapping.receivedAt?.time ? instantExpression(mapping.receivedAt, "t") : "NULL::timestamptz";
  const sql = `SELECT count(*)::int AS count, extract(epoch FROM clock_timestamp() - min(since))::float8 AS oldest
    FROM (SELECT ${since} AS since FROM ${quoteTable(mapping.table)} t WHERE NOT (${processedSql(mapping)}) LIMIT ${COUNT_CAP + 1}) waiting`;
  if (await wouldScan(client, sql, []))
    return { unprocessed: { value: 0, precision: "unknown" }, oldestUnprocessedSeconds: null };
  const row = (await client.query<{ count: number; oldest: number | null }>(sql)).rows[0];
  const count = row?.count ?? 0;
  return {
    unprocessed: count > COUNT_CAP ? { value: COUNT_CAP, precision: "capped" } : { value: count, precision: "exact" },
    oldestUnprocessedSeconds: row?.oldest ?? null,
  };
}

async function readPace(
  client: PoolClient,
  mapping: InboxMapping,
): Promise<Pick<InboxFigures, "lastProcessedAt" | "perMinute">> {
  const time = mapping.processedAt ?? mapping.receivedAt;
  if (!time?.time) return { lastProcessedAt: null, perMinute: null };
  const instant = instantExpression(time, "t");
  const sql = `SELECT ${instantText(`max(${instant})`)} AS last, (count(*) FILTER (WHERE ${instant} > clock_timestamp() - interval '1 minute'))::int AS recent
    FROM (SELECT ${columnSql(time)} FROM ${quoteTable(mapping.table)} WHERE ${columnSql(time)} IS NOT NULL ORDER BY ${columnSql(time)} DESC LIMIT 5000) t`;
  if (await wouldScan(client, sql, [])) return { lastProcessedAt: null, perMinute: null };
  const row = (await client.query<{ last: string | null; recent: number }>(sql)).rows[0];
  return { lastProcessedAt: row?.last ?? null, perMinute: row?.recent ?? null };
}

/** Whether the inbox has a message, by consumer where the table tells consumers apart. */
export async function findInboxSightings(
  client: PoolClient,
  mapping: InboxMapping,
  eventId: string,
): Promise<{ consumer: string | null; processed: boolean; at: string | null }[]> {
  if (!fitsType(eventId, mapping.messageId.type)) return [];
  const sql = `SELECT ${text(mapping.consumer)} AS consumer, ${processedSql(mapping)} AS processed, coalesce(${at(mapping.processedAt)}, ${at(mapping.receivedAt)}) AS at
    FROM ${quoteTable(mapping.table)} t WHERE ${equalsSql(mapping.messageId, "$1")} LIMIT 50`;
  await refuseScan(
    client,
    sql,
    [eventId],
    `CREATE INDEX CONCURRENTLY ON ${quoteTable(mapping.table)} (${quoteIdentifier(mapping.messageId.name)});`,
  );
  return (await client.query<{ consumer: string | null; processed: boolean; at: string | null }>(sql, [eventId])).rows;
}
