import type { NewItem } from "#db/stores/port/bulk-records.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxStore, Store } from "#db/stores/port/store.ts";
import { type BulkAction, getsNewMessages, whyNotPossible } from "#domain/message/bulk-operation.ts";
import type { BulkSelection } from "./bulk-plan.ts";
import { filtersOf } from "./filters-of.ts";

/** Messages of one page of a selection. */
const PAGE = 1000;

export interface SelectedPage {
  items: NewItem[];
  /** Where the next page begins; null after the last. */
  cursor: string | null;
  /** Messages that were left out, because their own time is after the start; `more`: there are others. */
  leftOut?: { messages: number; more: boolean };
}

interface Selecting {
  store: Pick<Store, "records">;
  outbox: OutboxStore;
  selection: BulkSelection;
  action: BulkAction;
  /** When the operation began: messages that wait and were created later stay out. */
  startedAt: string;
  cursor: string | null;
  /** Number of items selected before this page. */
  selected: number;
}

/**
 * One page of the selection as items. Lists that come newest first get descending numbers, so that the oldest message
 * is worked on first. Throws what reading the list throws.
 */
export function selectItems(input: Selecting): Promise<SelectedPage> {
  const { selection } = input;
  if ("filter" in selection) return pageOfFilter(input, selection.filter);
  if ("targets" in selection) return pageOfTargets(input, selection.targets);
  return pageOfItems(input, selection.itemsOf);
}

async function pageOfFilter(
  { outbox, cursor, selected, startedAt, action }: Selecting,
  filter: Extract<BulkSelection, { filter: unknown }>["filter"],
): Promise<SelectedPage> {
  const lists = filtersOf(filter);
  const { index, within } = placeOf(cursor);
  const list = lists[index] ?? filter;
  const page = await outbox.read.list({ filter: list, cursor: within, limit: PAGE, count: false });
  const rows = getsNewMessages(list.state)
    ? page.rows.filter(({ createdAt }) => createdAt === null || createdAt <= startedAt)
    : page.rows;
  // Lists of messages that wait; all others come newest first.
  const oldestFirst = list.state === "failed" || getsNewMessages(list.state);
  const items = rows.map((row, at) => toItem(row, action, (selected + at + 1) * (oldestFirst ? 1 : -1)));
  // In an oldest-first list, a page of only new messages comes after all messages from the start of the operation.
  const reachedNewcomers = page.rows.length > 0 && rows.length === 0;
  const leftOut = { messages: page.rows.length - rows.length, more: reachedNewcomers && page.nextCursor !== null };
  if (page.nextCursor !== null && !reachedNewcomers) return { items, cursor: `${index}:${page.nextCursor}`, leftOut };
  return { items, cursor: index + 1 < lists.length ? `${index + 1}:` : null, leftOut };
}

/** Which list comes next, and where in it; `1:` is the beginning of the second. */
function placeOf(cursor: string | null): { index: number; within: string | undefined } {
  if (cursor === null) return { index: 0, within: undefined };
  const at = cursor.indexOf(":");
  return { index: Number(cursor.slice(0, at)), within: cursor.slice(at + 1) || undefined };
}

async function pageOfTargets(
  { outbox, cursor, selected, action }: Selecting,
  targets: readonly { id: string; version: string }[],
): Promise<SelectedPage> {
  const from = Number(cursor ?? 0);
  const page = targets.slice(from, from + PAGE);
  const rows = byId(await outbox.read.find(page.map(({ id }) => id)));
  const items = page.map(({ id, version }, index) => {
    const row = rows.get(id);
    const seq = selected + index + 1;
    return row ? { ...toItem(row, action, seq), version } : missingItem(id, version, seq);
  });
  return { items, cursor: from + PAGE < targets.length ? String(from + PAGE) : null };
}

/** Items keep their order; messages that are gone stay out, because there is nothing that could be done with them. */
async function pageOfItems(
  { store, outbox, cursor, selected, action }: Selecting,
  { operation, outcomes }: Extract<BulkSelection, { itemsOf: unknown }>["itemsOf"],
): Promise<SelectedPage> {
  const afterSeq = cursor === null ? null : Number(cursor);
  const earlier = (await store.records.bulk?.items({ id: operation, outcome: null, afterSeq, limit: PAGE })) ?? [];
  const wanted = earlier.filter(({ outcome }) => outcome !== null && outcomes.includes(outcome));
  const rows = byId(await outbox.read.find(wanted.map(({ messageId }) => messageId)));
  const present = wanted.flatMap(({ messageId }) => rows.get(messageId) ?? []);
  const items = present.map((row, index) => toItem(row, action, selected + index + 1));
  const last = earlier.at(-1);
  return { items, cursor: earlier.length === PAGE && last ? String(last.seq) : null };
}

const byId = (rows: readonly MessageRow[]) => new Map(rows.map((row) => [row.id, row]));

function toItem(row: MessageRow, action: BulkAction, seq: number): NewItem {
  // A message that a relay publishes now may be possible in a moment.
  const waits = action !== "republish" && row.state === "in_flight" && !row.claimUndated;
  const reason = waits ? undefined : whyNotPossible(action, row);
  return {
    seq,
    messageId: row.id,
    version: row.version,
    eventType: row.eventType,
    aggregateId: row.aggregateId,
    stateBefore: row.state,
    refused: reason === undefined ? null : { code: "wrong_state", message: reason },
  };
}

function missingItem(messageId: string, version: string, seq: number): NewItem {
  return {
    seq,
    messageId,
    version,
    eventType: null,
    aggregateId: null,
    stateBefore: "unknown",
    refused: { code: "not_found", message: "This message is not there any more." },
  };
}
