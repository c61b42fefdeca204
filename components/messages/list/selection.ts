import type { MessageSummary } from "#contracts/message/messages.ts";
import { MOST_AT_ONCE } from "#contracts/message/operations.ts";

/**
 * Selected messages by id, each in the version that the operator last saw, which the guard compares. The selection
 * survives paging and refresh.
 */
export interface Selection {
  messages: ReadonlyMap<string, MessageSummary>;
  /** Start of a shift-click's range. */
  anchorId: string | undefined;
  /** True when the last change was truncated at MOST_AT_ONCE. */
  full: boolean;
}

export type SelectionEvent =
  | { type: "toggle"; message: MessageSummary }
  | { type: "range"; to: MessageSummary; rows: readonly MessageSummary[] }
  | { type: "add"; rows: readonly MessageSummary[] }
  | { type: "seen"; rows: readonly MessageSummary[] }
  | { type: "clear" };

export const EMPTY_SELECTION: Selection = { messages: new Map(), anchorId: undefined, full: false };

export function changeSelection(selection: Selection, event: SelectionEvent): Selection {
  if (event.type === "clear") return EMPTY_SELECTION;
  if (event.type === "toggle") return toggle(selection, event.message);
  if (event.type === "range") return { ...add(selection, rangeOf(selection, event)), anchorId: event.to.id };
  return event.type === "add" ? add(selection, event.rows) : see(selection, event.rows);
}

function toggle(selection: Selection, message: MessageSummary): Selection {
  if (!selection.messages.has(message.id)) return { ...add(selection, [message]), anchorId: message.id };
  const messages = new Map(selection.messages);
  messages.delete(message.id);
  return { messages, anchorId: message.id, full: false };
}

function add(selection: Selection, rows: readonly MessageSummary[]): Selection {
  const messages = new Map(selection.messages);
  let full = false;
  for (const row of rows) {
    if (messages.size < MOST_AT_ONCE || messages.has(row.id)) messages.set(row.id, row);
    else full = true;
  }
  return { ...selection, messages, full };
}

function rangeOf(selection: Selection, event: { to: MessageSummary; rows: readonly MessageSummary[] }) {
  const to = event.rows.findIndex((row) => row.id === event.to.id);
  const from = event.rows.findIndex((row) => row.id === selection.anchorId);
  if (to < 0 || from < 0) return [event.to];
  return event.rows.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/** A refreshed row counts as seen again, with its new version. */
function see(selection: Selection, rows: readonly MessageSummary[]): Selection {
  const changed = rows.filter((row) => {
    const known = selection.messages.get(row.id);
    return known !== undefined && known.version !== row.version;
  });
  return changed.length === 0 ? selection : { ...add(selection, changed), full: selection.full };
}
