import { formatInstant } from "#components/ui/format/format-instant.ts";
import type { MessageFilters } from "./message-filters.ts";
import { RANGES, type RangeKey } from "./ranges.ts";

/** Starts the range at an instant, so that the pages of the list and its link have one meaning. */
export function withRange(filters: MessageFilters, last: RangeKey, nowMs: number): MessageFilters {
  const { to: _, ...fields } = filters.fields;
  const seconds = RANGES.find(({ key }) => key === last)?.seconds ?? 0;
  return { ...filters, last, fields: { ...fields, from: new Date(nowMs - seconds * 1000).toISOString() } };
}

/** A range of instants; an undefined end is open. */
export function withBounds(filters: MessageFilters, from: string | undefined, to: string | undefined): MessageFilters {
  const { from: _from, to: _to, ...fields } = filters.fields;
  return { ...filters, last: undefined, fields: { ...fields, ...(from && { from }), ...(to && { to }) } };
}

/** "Any time", "Last 1 h", "03:00:00 to 04:00:00". */
export function describeRange({ last, fields }: MessageFilters, nowMs: number): string {
  const { from, to } = fields;
  const preset = RANGES.find(({ key }) => key === last);
  if (preset && from !== undefined && to === undefined) return preset.label;
  if (from === undefined && to === undefined) return "Any time";
  if (from === undefined) return `until ${formatInstant(to ?? "", nowMs)}`;
  return `${formatInstant(from, nowMs)} to ${to === undefined ? "now" : formatInstant(to, nowMs)}`;
}

/** The value of a field for date and time, in UTC; empty for what is no instant. */
export function toFieldValue(instant: string | undefined): string {
  const atMs = Date.parse(instant ?? "");
  return Number.isNaN(atMs) ? "" : new Date(atMs).toISOString().slice(0, 19);
}

/** RFC 3339 of a field's value; undefined for an empty or unfinished one. */
export function fromFieldValue(value: string): string | undefined {
  const atMs = Date.parse(`${value}Z`);
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString().replace(".000Z", "Z");
}
