import { comparePlaces } from "#db/stores/dynamodb/read/compare-places.ts";
import { hasFilter } from "#db/stores/shared/read/filter-scope.ts";
import { AppError } from "#domain/errors.ts";
import { fingerprint } from "#domain/message/fingerprint.ts";
import { UNSENT_STATES } from "#domain/message/message-state.ts";
import type { MessageFilter, MessageRow } from "../../port/message-row.ts";
import type { MessagePage, MessagePageRequest } from "../../port/outbox-reader.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { badCursorError, decodeCursor, encodeCursor } from "../../shared/read/cursor.ts";
import { textOf } from "../items/item.ts";
import type { Room } from "../room.ts";
import { adviceFor } from "./index-advice.ts";
import { type Entry, type OutboxView, readView } from "./outbox-view.ts";
import { rowsOfPage } from "./rows-of-page.ts";

const WAITING: readonly MessageFilter["state"][] = [...UNSENT_STATES, "unsent"];
/** States that items of the waiting index may have; all others are outside it. */
const IN_INDEX: readonly MessageFilter["state"][] = [...WAITING, "dead", "failing"];

/**
 * One page of messages, without payloads: waiting ones oldest first, all others newest first. Throws: invalid_input for
 * a damaged cursor; filter_not_indexed if the items read cannot answer.
 */
export async function listMessages(room: Room, request: MessagePageRequest): Promise<MessagePage> {
  const view = await readView(room);
  const { filter, limit } = request;
  const known = isAnswered(view, filter.state);
  if (!known && hasFilter(filter)) throw notIndexed(room);
  const ascending = WAITING.includes(filter.state);
  const place = ({ row, item }: Entry) => placeOf(room.ref, { row, item }, ascending);
  const sign = ascending ? 1 : -1;
  const matching = view.entries.filter((entry) => matches(entry, filter));
  const sorted = matching
    .map((entry) => ({ entry, key: place(entry) }))
    .sort((one, other) => sign * comparePlaces(one.key, other.key));
  const scope = scopeOf(filter);
  const after = request.cursor === undefined ? null : cursorKey(request.cursor, scope);
  const rest = after ? sorted.filter(({ key }) => sign * comparePlaces(key, after) > 0) : sorted;
  const page = rest.slice(0, limit);
  const last = rest.length > limit ? page.at(-1) : undefined;
  const partial = known ? null : { read: view.entries.length, index: adviceFor(room).text, skipped: true };
  const rows = await rowsOfPage(
    room,
    view,
    page.map(({ entry }) => entry),
  );
  return {
    rows: rows.filter(({ state }) => isOfTab(state, filter.state)),
    nextCursor: last ? encodeCursor(scope, last.key) : null,
    partial,
    recordedOnly: { value: 0, capped: false },
    matching: partial || request.count === false ? null : { value: matching.length, capped: false },
    asOf: view.asOf,
  };
}

/** Every message of the tab is among those that were read. */
function isAnswered(view: OutboxView, state: MessageFilter["state"]): boolean {
  if (state === "archived") return view.archiveComplete;
  if (view.covers === "all") return view.deadComplete && view.archiveComplete;
  if (view.covers === "some") return false;
  return IN_INDEX.includes(state) && view.deadComplete;
}

function notIndexed(room: Room): AppError {
  const { text } = adviceFor(room);
  return new AppError("filter_not_indexed", "DynamoDB would read the whole table for this list.", {
    details: { index: text },
  });
}

/** Sort key and id. The sort key is the order column in lists by delivery, and the time in others. */
function placeOf({ mapping }: OutboxRef, { row, item }: Entry, delivery: boolean): [string, string] {
  const { order } = mapping.columns;
  const position = delivery && order && item ? sortable(textOf(item[order.name]), order.type) : null;
  return [position ?? row.archivedAt ?? row.createdAt ?? "", row.id];
}

/** Numbers as texts of one length. */
export function sortable(text: string | null, type: string): string | null {
  if (text === null || !["N", "number", "seconds", "milliseconds"].includes(type)) return text;
  const [whole = "", fraction = ""] = text.split(".");
  return `${whole.padStart(38, "0")}.${fraction}`;
}

function scopeOf(filter: MessageFilter): string {
  return JSON.stringify(Object.entries(filter).sort());
}

function cursorKey(cursor: string, scope: string): [string, string] {
  const [key, id] = decodeCursor(cursor, scope, 2);
  if (key === undefined || id === undefined) throw badCursorError();
  return [key, id];
}

function matches({ row }: Entry, filter: MessageFilter): boolean {
  const { state, eventType, aggregateType, aggregateId, error, group, errorCode, attemptsMin, from, to, q } = filter;
  // An index may lack the trace id, so a search by it is not possible (see the capability) and matches nothing.
  if (filter.traceId !== undefined) return false;
  return (
    isOfTab(row.state, state) &&
    (eventType === undefined || row.eventType === eventType) &&
    (aggregateType === undefined || row.aggregateType === aggregateType) &&
    (aggregateId === undefined || row.aggregateId === aggregateId) &&
    (error === undefined || (row.lastError ?? "").toLowerCase().includes(error.toLowerCase())) &&
    (group === undefined || groupOf(row) === group) &&
    (errorCode === undefined || row.lastErrorCode === errorCode) &&
    (attemptsMin === undefined || (row.attempts ?? 0) >= attemptsMin) &&
    (from === undefined || (row.createdAt !== null && Date.parse(row.createdAt) >= Date.parse(from))) &&
    (to === undefined || (row.createdAt !== null && Date.parse(row.createdAt) < Date.parse(to))) &&
    (q === undefined || [row.id, row.aggregateId, row.eventType].includes(q))
  );
}

function isOfTab(state: MessageRow["state"], tab: MessageFilter["state"]): boolean {
  if (tab === "all") return true;
  if (tab === "unsent") return UNSENT_STATES.some((unsent) => unsent === state);
  return tab === "failing" ? state === "failed" || state === "dead" : state === tab;
}

export function groupOf(row: MessageRow): string | null {
  if (row.lastError === null) return null;
  return fingerprint({ code: row.lastErrorCode ?? "unknown", error: row.lastError, eventType: row.eventType });
}
