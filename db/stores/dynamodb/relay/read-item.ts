import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { MappedColumn } from "../../port/mapping.ts";
import { AT_ONCE_MS, type OrderKey, type OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import { deadlineOf, instantOf } from "../items/instant.ts";
import { type Item, sizeOf, textOf } from "../items/item.ts";
import { aggregateKeyOf, idOf } from "../items/message-key.ts";
import { nativeStateOf } from "../items/native-state.ts";
import { versionOf } from "./item-version.ts";
import type { RelayContext } from "./relay-context.ts";

/** What decides whether an item may be claimed. */
export interface Candidate {
  item: Item;
  id: string;
  aggregateKey: string | null;
  eventType: string | null;
  order: OrderKey;
  createdAtMs: number;
}

type Reading = Pick<RelayContext, "mapping" | "lanes" | "settings">;

export function candidateOf({ mapping, lanes }: Pick<Reading, "mapping" | "lanes">, item: Item): Candidate {
  const { columns } = mapping;
  const text = (column: MappedColumn | undefined) => (column ? textOf(item[column.name]) : null);
  const createdAt = instantOf(text(columns.createdAt), columns.createdAt?.time);
  return {
    item,
    id: idOf(item, mapping),
    aggregateKey: lanes ? laneOf(mapping, text(columns.aggregateType), text(columns.aggregateId)) : null,
    eventType: text(columns.eventType),
    order: [text(orderColumn(mapping)) ?? "", text(columns.id) ?? ""],
    createdAtMs: createdAt === null ? Number.NaN : Date.parse(createdAt),
  };
}

/** An aggregate without its type, where the mapping has one, is none. */
function laneOf({ columns }: Reading["mapping"], type: string | null, id: string | null): string | null {
  return columns.aggregateType && type === null ? null : aggregateKeyOf(type, id);
}

export function messageOf({ mapping, lanes, settings }: Reading, item: Item): OutgoingMessage {
  const { columns } = mapping;
  const text = (column: MappedColumn | undefined) => (column ? textOf(item[column.name]) : null);
  const { id, aggregateKey, order, eventType, createdAtMs } = candidateOf({ mapping, lanes }, item);
  const fields = Object.entries(settings.fields);
  const payload = item[columns.payload.name];
  return {
    id,
    eventId: text(columns.id) ?? "",
    aggregateKey,
    aggregateType: text(columns.aggregateType),
    aggregateId: text(columns.aggregateId),
    eventType,
    topic: text(columns.topic),
    headers: text(columns.headers),
    payload: text(columns.payload),
    payloadKind: payload?.B !== undefined ? "binary" : isJson(columns.payload, payload) ? "json" : "text",
    ...(fields.length > 0 ? { fields: Object.fromEntries(fields.map(([name, of]) => [name, textOf(item[of])])) } : {}),
    createdAt: instantOf(text(columns.createdAt), columns.createdAt?.time),
    scheduled: isScheduled(text(columns.availableAt), columns.availableAt, createdAtMs),
    order,
    attempts: attemptsOf(text(columns.attempts)),
    version: versionOf(mapping, item),
  };
}

/** `OutgoingMessage.scheduled`. */
function isScheduled(text: string | null, availableAt: MappedColumn | undefined, createdAtMs: number): boolean {
  const at = instantOf(text, availableAt?.time);
  // False for NaN as well: without a creation time, or a time that can be read, nobody knows.
  const atOnce = at !== null && Date.parse(at) <= createdAtMs + AT_ONCE_MS;
  return text !== null && !atOnce;
}

function isJson({ type }: MappedColumn, value: Item[string] | undefined): boolean {
  return type === "json" || (value !== undefined && value.S === undefined);
}

function attemptsOf(text: string | null): number {
  const number = Number(text ?? 0);
  return Number.isFinite(number) ? Math.max(0, Math.trunc(number)) : 0;
}

/** Neither published nor dead nor expired, by the item's own attributes. `now` is RFC 3339 with microseconds. */
export function isUnsent({ mapping }: Pick<Reading, "mapping">, item: Item, now: string): boolean {
  const { published, dead, expired, unknown } = nativeStateOf(item, mapping, now);
  return !published && !dead && !expired && !unknown;
}

/** Not scheduled for later. */
export function isDue({ mapping: { columns } }: Pick<Reading, "mapping">, item: Item, now: string): boolean {
  const { availableAt } = columns;
  const at = availableAt ? deadlineOf(textOf(item[availableAt.name]), availableAt.time) : null;
  return at === null || at <= now;
}

/** Bytes of the payload. */
export function payloadBytes({ mapping }: Pick<Reading, "mapping">, item: Item): number {
  const payload = item[mapping.columns.payload.name];
  return payload === undefined ? 0 : sizeOf({ "": payload });
}
