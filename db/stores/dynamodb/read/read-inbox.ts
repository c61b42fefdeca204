import { GetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { comparePlaces } from "#db/stores/dynamodb/read/compare-places.ts";
import { AppError } from "#domain/errors.ts";
import type { InboxMapping } from "../../port/inbox-mapping.ts";
import type { InboxFigures, InboxPageRequest, InboxRow, InboxSighting } from "../../port/inbox-reader.ts";
import type { ItemFamily } from "../../port/item-family.ts";
import type { MappedColumn } from "../../port/mapping.ts";
import { decodeCursor, encodeCursor } from "../../shared/read/cursor.ts";
import type { Link } from "../connection/link.ts";
import { instantOf } from "../items/instant.ts";
import { type Item, textOf } from "../items/item.ts";
import type { ItemSource, Reading } from "../items/item-source.ts";
import { idOf } from "../items/message-key.ts";
import { inboxStateOf } from "./inbox-state.ts";
import { tableMissing } from "./outbox-view.ts";

export interface InboxRoom {
  link: Link;
  family: ItemFamily;
  mapping: InboxMapping;
  source: ItemSource;
}

const MINUTE_MS = 60_000;
const MOST_SIGHTINGS = 50;

export async function readRows({
  family,
  mapping,
  source,
}: InboxRoom): Promise<{ rows: InboxRow[]; reading: Reading }> {
  const reading = await source.read();
  if (!reading) throw tableMissing(family.table);
  return { rows: reading.items.map((item) => rowOf(mapping, item, reading.asOf)), reading };
}

export function rowOf(mapping: InboxMapping, item: Item, now: string): InboxRow {
  const text = (column: MappedColumn | null) => (column ? textOf(item[column.name]) : null);
  const instant = (column: MappedColumn | null) => (column ? instantOf(text(column), column.time) : null);
  const receivedAt = instant(mapping.receivedAt);
  const processedAt = instant(mapping.processedAt);
  const since = receivedAt ?? processedAt;
  return {
    id: idOf(item, mapping),
    messageId: text(mapping.messageId),
    consumer: text(mapping.consumer),
    eventType: text(mapping.eventType),
    state: inboxStateOf(mapping, item, now),
    receivedAt,
    processedAt,
    ageSeconds: since === null ? null : (Date.parse(now) - Date.parse(since)) / 1000,
  };
}

/** Exact if the table was read whole; otherwise only its size, which DynamoDB updates every few hours. */
export async function readInboxFigures(room: InboxRoom): Promise<InboxFigures> {
  const { rows, reading } = await readRows(room);
  const waiting = rows.filter(({ state }) => state === "unprocessed");
  const failed = rows.filter(({ state }) => state === "failed");
  const counted = (found: number) =>
    known
      ? { value: found, precision: "exact" as const }
      : { value: found, precision: found > 0 ? ("capped" as const) : ("unknown" as const) };
  const whole = reading.covers === "all";
  const known = whole || reading.covers === "waiting" || !room.mapping.tracksProcessing;
  const isMarked = room.mapping.mark.kind !== "none";
  const times = rows
    .flatMap(({ processedAt, receivedAt }) => (isMarked ? (processedAt ?? receivedAt ?? []) : []))
    .sort();
  const minuteAgo = Date.parse(reading.asOf) - MINUTE_MS;
  const ages = waiting.flatMap(({ ageSeconds }) => ageSeconds ?? []);
  return {
    total: whole ? { value: rows.length, precision: "exact" } : { value: reading.tableItems, precision: "estimate" },
    unprocessed: counted(waiting.length),
    failed: counted(failed.length),
    oldestUnprocessedSeconds: known && ages.length > 0 ? Math.max(...ages) : null,
    lastProcessedAt: whole ? (times.at(-1) ?? null) : null,
    perMinute: whole ? times.filter((at) => Date.parse(at) > minuteAgo).length : null,
    asOf: reading.asOf,
  };
}

/** Newest first. Throws filter_not_indexed if the table is too large to be read whole. */
export async function listInboxRows(room: InboxRoom, { filter, cursor, limit }: InboxPageRequest) {
  const { rows, reading } = await readRows(room);
  const answered = reading.covers === "all" || (reading.covers === "waiting" && filter.state === "unprocessed");
  if (!answered)
    throw new AppError("filter_not_indexed", "DynamoDB would read the whole table for this list.", {
      details: { index: `An index of ${room.family.table} that holds only unprocessed messages, as waiting.index.` },
    });
  const { state, q, consumer } = filter;
  const found = rows
    .filter(
      (row) =>
        (state === "all" || row.state === state) &&
        (consumer === undefined || row.consumer === consumer) &&
        (q === undefined || [row.messageId, row.eventType].includes(q)),
    )
    .map((row) => ({ row, key: [row.receivedAt ?? row.processedAt ?? "", row.id] as const }))
    .sort((one, other) => comparePlaces(other.key, one.key));
  const scope = JSON.stringify([state, q ?? "", consumer ?? ""]);
  const after = cursor === undefined ? null : (decodeCursor(cursor, scope, 2) as [string, string]);
  const rest = after ? found.filter(({ key }) => comparePlaces(key, after) < 0) : found;
  const last = rest.length > limit ? rest[limit - 1] : undefined;
  return {
    rows: rest.slice(0, limit).map(({ row }) => row),
    nextCursor: last ? encodeCursor(scope, last.key) : null,
    asOf: reading.asOf,
  };
}

/**
 * By key if the message's id is the partition key, otherwise among the items of a small table. Throws
 * filter_not_indexed.
 */
export async function findInboxSightings(room: InboxRoom, eventId: string): Promise<InboxSighting[]> {
  const { mapping } = room;
  const items =
    mapping.primaryKey[0]?.name === mapping.messageId.name ? await byKey(room, eventId) : await bySearch(room, eventId);
  return items.slice(0, MOST_SIGHTINGS).map((item) => {
    const { consumer, state, processedAt, receivedAt } = rowOf(mapping, item, new Date().toISOString());
    return { consumer, state, at: processedAt ?? receivedAt };
  });
}

export async function byKey({ link, family, mapping }: InboxRoom, eventId: string): Promise<Item[]> {
  const { name, type } = mapping.messageId;
  const value = type === "N" ? { N: eventId } : { S: eventId };
  if (type === "N" && !/^-?\d+$/.test(eventId)) return [];
  const common = { TableName: family.table, ReturnConsumedCapacity: "TOTAL" } as const;
  if (mapping.primaryKey.length === 1) {
    const { Item: item } = await link.read((client) =>
      client.send(new GetItemCommand({ ...common, Key: { [name]: value } })),
    );
    return item ? [item] : [];
  }
  const { Items: items = [] } = await link.read((client) =>
    client.send(
      new QueryCommand({
        ...common,
        KeyConditionExpression: "#id = :id",
        ExpressionAttributeNames: { "#id": name },
        ExpressionAttributeValues: { ":id": value },
        Limit: MOST_SIGHTINGS,
      }),
    ),
  );
  return items;
}

async function bySearch(room: InboxRoom, eventId: string): Promise<Item[]> {
  const reading = await room.source.read();
  if (!reading) throw tableMissing(room.family.table);
  if (reading.covers !== "all")
    throw new AppError("filter_not_indexed", "DynamoDB would read the whole table to find this message.", {
      details: { index: `A table whose partition key is ${room.mapping.messageId.name}.` },
    });
  return reading.items.filter((item) => textOf(item[room.mapping.messageId.name]) === eventId);
}
