import type { MessageFilters } from "#components/filters/message-filters.ts";
import { readFilters } from "#components/filters/message-filters.ts";
import { withRange } from "#components/filters/time-range.ts";
import { type ListColumn, readColumns } from "#components/lists/list-columns.ts";
import { readStored, writeStored } from "#components/ui/page/stored.ts";
import { VIEW_PARAMETERS } from "#contracts/message/views.ts";

/** A view of this browser; a shared view has the same fields. */
export interface SavedView {
  name: string;
  query: Partial<Record<(typeof VIEW_PARAMETERS)[number], string>>;
  columns: string[];
}

const STORAGE_KEY = "outbox-console.views";

/** This browser's views of an outbox, by name. */
export function readOwnViews(outbox: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(readStored(`${STORAGE_KEY}.${outbox}`) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    // Another script's text under our key.
    return [];
  }
}

/** False if this browser keeps nothing. */
export function writeOwnViews(outbox: string, views: readonly SavedView[]): boolean {
  const sorted = [...views].sort((one, other) => one.name.localeCompare(other.name));
  return writeStored(`${STORAGE_KEY}.${outbox}`, JSON.stringify(sorted));
}

/** What is shown now, as a view. A range that ends now is kept as such, without the instant at which it begins. */
export function viewOf(name: string, filters: MessageFilters, columns: readonly ListColumn[]): SavedView {
  const { from, ...fields } = filters.fields;
  const begins = filters.last === undefined ? { ...(from && { from }) } : { last: filters.last };
  return { name, query: { state: filters.state, ...fields, ...begins }, columns: [...columns] };
}

/** Filters and columns of a view, opened at a time of the server. */
export function openView(
  view: SavedView,
  nowMs: number,
): { filters: MessageFilters; columns: readonly ListColumn[] | undefined } {
  const params = new URLSearchParams();
  for (const name of VIEW_PARAMETERS) {
    const value = view.query[name];
    if (value !== undefined) params.set(name, value);
  }
  const last = params.get("last");
  // Any instant: withRange replaces it.
  if (last !== null) params.set("from", new Date(nowMs).toISOString());
  const filters = readFilters(params);
  const { last: range } = filters;
  return {
    filters: range === undefined ? filters : withRange(filters, range, nowMs),
    columns: readColumns(view.columns.join(",")),
  };
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  const { name, query, columns } = value as Partial<Record<keyof SavedView, unknown>>;
  return typeof name === "string" && typeof query === "object" && query !== null && Array.isArray(columns);
}
