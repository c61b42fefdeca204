import { DescribeTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { formatDuration } from "#domain/format.ts";
import { cutText } from "#domain/text/cut-text.ts";
import type { MappedColumn } from "../../port/mapping.ts";
import type {
  BytesRequest,
  MessageBytes,
  MessageContent,
  MessageHistory,
  StoredBytes,
  StoredMessage,
  StoredText,
} from "../../port/message-detail.ts";
import type { MessageRow } from "../../port/message-row.ts";
import { byPlace, type PlacedRow, withoutPlace } from "../../shared/read/around.ts";
import { UNREAD_NEIGHBOURS } from "../../shared/read/unread-neighbours.ts";
import { instantOf } from "../items/instant.ts";
import { type Item, jsonOf, textOf } from "../items/item.ts";
import { readAttempts } from "../own-table/attempts.ts";
import { listAuditRows } from "../own-table/audit.ts";
import type { Room } from "../room.ts";
import { type FoundMessage, findMessage } from "./find-message.ts";
import { sortable } from "./list-messages.ts";
import { type Entry, type OutboxView, readView } from "./outbox-view.ts";
import { decidedRow } from "./read-decision.ts";

const SHOWN_BYTES = 256 * 1024;
const VALUE_CHARACTERS = 2000;
const NEIGHBOURS_EACH_WAY = 5;
const AUDIT_ENTRIES = 50;
const MOST_LATER = 1000;

/** Everything that is known about one message; null when it is nowhere. */
export async function readMessage(room: Room, id: string): Promise<StoredMessage | null> {
  const found = await findMessage(room, id);
  if (!found) return null;
  const row = await decidedRow(room, found);
  const view = row.aggregateId === null ? null : await readView(room);
  const attempts = room.ref.storeSide ? await readAttempts(room.own, room.ref.name, id) : [];
  const audit = room.ref.storeSide
    ? await listAuditRows(room.own, {
        filter: { outboxes: [room.ref.name], messageId: id },
        before: null,
        limit: AUDIT_ENTRIES,
      })
    : [];
  return {
    row,
    content: await contentOf(room, found),
    history: { attempts, firstError: firstErrorOf(found), claim: claimOf(found), audit },
    neighbours: view ? neighboursOf(room, view, row) : [row],
    neighboursUnread: !view || view.covers === "all" ? null : UNREAD_NEIGHBOURS.part,
    laterPublished: row.state === "published" || !view ? null : laterPublished(room, view, found),
    statement: statementOf(room, found),
    asOf: found.asOf,
  };
}

/** Payload and headers byte for byte; null if there is no such message. The store gives no part of an item's value. */
export async function readMessageBytes(room: Room, id: string, request: BytesRequest): Promise<MessageBytes | null> {
  const found = await findMessage(room, id);
  if (!found) return null;
  const { payload, headers } = room.ref.mapping.columns;
  const of = (part: "payload" | "headers", column: MappedColumn | undefined) =>
    column && found.item && (request.part ?? part) === part ? storedBytes(found.item, column, request) : null;
  return { payload: of("payload", payload), headers: of("headers", headers) };
}

function storedBytes(item: Item, { name, type }: MappedColumn, request: BytesRequest): StoredBytes | null {
  const value = item[name];
  if (value === undefined || value.NULL) return null;
  const isText = value.S !== undefined;
  const bytes = Buffer.from(value.B ?? value.S ?? jsonOf(value));
  return {
    bytes: bytes.subarray(0, request.longer === "length" && bytes.length > request.most ? 0 : request.most),
    totalBytes: bytes.length,
    kind: value.B !== undefined ? "binary" : isText ? "text" : "json",
    columnType: value.B !== undefined ? "B" : isText ? "S" : type,
  };
}

function firstErrorOf({ row, delivery, dead, archived }: FoundMessage): string | null {
  const kept = delivery?.doc ?? dead?.doc.delivery ?? archived?.doc.delivery ?? archived?.doc.dead?.delivery;
  return kept?.firstError ?? row.lastError;
}

/** The live claim, otherwise one that has expired. */
function claimOf({ claims }: FoundMessage): MessageHistory["claim"] {
  const claim = claims.find(({ lives }) => lives) ?? claims[0];
  return claim ? { owner: claim.owner, startedAt: claim.startedAt, expired: !claim.lives } : null;
}

async function contentOf(room: Room, { item, asOf }: FoundMessage): Promise<MessageContent> {
  const { payload, headers } = room.ref.mapping.columns;
  if (!item) return { payload: null, headers: null, columns: [] };
  const ttl = await ttlAttribute(room).catch(() => null);
  const others = Object.keys(item).filter((name) => name !== payload.name && name !== headers?.name);
  const columns = others.sort().map((name) => ({ name, value: shownValue(item, name) }));
  const expiry = ttl === null ? null : expiryOf(item, ttl, Date.parse(asOf));
  return {
    payload: storedText(item, payload),
    headers: headers ? storedText(item, headers) : null,
    columns: expiry === null ? columns : [...columns, { name: `${ttl} (time to live)`, value: expiry }],
  };
}

function shownValue(item: Item, name: string): string | null {
  const text = textOf(item[name]);
  return text === null ? null : cutText(text, VALUE_CHARACTERS);
}

/** Attribute by which DynamoDB deletes items; null if it deletes none. */
export async function ttlAttribute({ link, family }: Pick<Room, "link" | "family">): Promise<string | null> {
  const { TimeToLiveDescription: ttl } = await link.client.send(
    new DescribeTimeToLiveCommand({ TableName: family.table }),
  );
  return ttl?.TimeToLiveStatus === "ENABLED" ? (ttl.AttributeName ?? null) : null;
}

/** Sentence: when DynamoDB may delete the item. It does so some time later, by its documentation within a few days. */
function expiryOf(item: Item, ttl: string, nowMs: number): string | null {
  const at = instantOf(textOf(item[ttl]), { kind: "epoch", unit: "s" });
  if (at === null) return null;
  const leftMs = Date.parse(at) - nowMs;
  const distance = formatDuration(Math.abs(leftMs) / 1000);
  const when = leftMs > 0 ? `in ${distance}` : `${distance} ago`;
  return `DynamoDB deletes the item at its own time after ${at.slice(0, 19)}Z (${when}); that may be days later.`;
}

function storedText(item: Item, { name, type }: MappedColumn): StoredText | null {
  const value = item[name];
  if (value === undefined || value.NULL) return null;
  if (value.B !== undefined) {
    const bytes = Buffer.from(value.B);
    const shown = bytes.subarray(0, SHOWN_BYTES);
    return { text: shown.toString("base64"), totalBytes: bytes.length, shownBytes: shown.length, format: "base64" };
  }
  const text = value.S ?? jsonOf(value);
  const shown = cut(text);
  const isJson = type === "json" || value.S === undefined || /^\s*[[{]/.test(text);
  return {
    text: shown,
    totalBytes: Buffer.byteLength(text),
    shownBytes: Buffer.byteLength(shown),
    format: isJson ? "json" : "text",
  };
}

/** At most SHOWN_BYTES characters, without splitting a surrogate pair. */
function cut(text: string): string {
  if (text.length <= SHOWN_BYTES) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(SHOWN_BYTES - 1));
  return text.slice(0, SHOWN_BYTES - (isHalf ? 1 : 0));
}

/** Messages of the same aggregate around this one, oldest first, among those that were read. */
function neighboursOf({ ref }: Room, view: OutboxView, row: MessageRow): MessageRow[] {
  const { order } = ref.mapping.columns;
  const placed = ({ item, row: its }: Entry): PlacedRow => ({
    ...(its.id === row.id ? row : its),
    place: order && item ? sortable(textOf(item[order.name]), order.type) : null,
  });
  const same = view.entries
    .map(placed)
    .filter(({ aggregateId, aggregateType }) => aggregateId === row.aggregateId && aggregateType === row.aggregateType)
    .toSorted(byPlace)
    .map(withoutPlace);
  const place = same.findIndex(({ id }) => id === row.id);
  if (place < 0) return [row];
  return same.slice(Math.max(0, place - NEIGHBOURS_EACH_WAY), place + NEIGHBOURS_EACH_WAY + 1);
}

/** Published later messages of its aggregate; null where not all items were read, or no order is known. */
export function laterPublished({ ref }: Room, view: OutboxView, { row, item }: FoundMessage): number | null {
  const { order, createdAt } = ref.mapping.columns;
  const by = order ?? createdAt;
  if (view.covers !== "all" || !by || !item) return null;
  const position = (one: Item) => sortable(textOf(one[by.name]), by.type) ?? "";
  const own = position(item);
  const later = view.entries.filter(
    (entry) =>
      entry.item &&
      entry.row.state === "published" &&
      entry.row.aggregateId === row.aggregateId &&
      entry.row.aggregateType === row.aggregateType &&
      position(entry.item) > own,
  );
  return Math.min(later.length, MOST_LATER);
}

/** Command by which a person reads the item. */
function statementOf({ family }: Room, { key }: FoundMessage): string {
  const plain = Object.fromEntries(
    Object.entries(key).map(([name, { S, N, B }]) => [
      name,
      S !== undefined ? { S } : N !== undefined ? { N } : { B: Buffer.from(B ?? []).toString("base64") },
    ]),
  );
  const quoted = JSON.stringify(plain).replaceAll("'", "'\\''");
  return `aws dynamodb get-item --consistent-read --table-name ${family.table} --key '${quoted}'`;
}
