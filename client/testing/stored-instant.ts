import type { Column } from "../sql/columns.ts";

/** A stored time, read as text, in RFC 3339 as a consumer gets it; null for a text that shows no time. */
export function storedInstant(text: string | null, { type }: Column): string | null {
  if (text === null) return null;
  if (type === "epoch-ms") return toIso(Number(text));
  if (type === "epoch-s") return toIso(Number(text) * 1000);
  if (type === "compact-text") return text.replace(/^(....)(..)(..)(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6Z");
  // In UTC, all digits stay: a Date has none below the millisecond.
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|\+00(?::?00)?)?$/.exec(text) ?? [];
  return date === undefined ? toIso(Date.parse(text)) : `${date}T${time}Z`;
}

function toIso(ms: number): string | null {
  return Number.isNaN(new Date(ms).getTime()) ? null : new Date(ms).toISOString();
}
