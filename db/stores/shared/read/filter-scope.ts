import type { MessageFilter } from "../../port/message-row.ts";

/** Whether a list is narrowed further than to its tab. */
export function hasFilter({ state: _, ...filters }: MessageFilter): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** The scope of cursors of one place of a list. */
export function scopeOf(place: string, filter: MessageFilter): string {
  const { state, ...rest } = filter;
  const set = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .sort();
  return `${state}:${place}:${set.map(([key, value]) => `${key}=${value}`).join("&")}`;
}
