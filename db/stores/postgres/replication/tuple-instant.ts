import type { MappedColumn, TimeEncoding } from "../../port/mapping.ts";
import { compact, fromEpoch, zoned } from "../../shared/relay/local-times.ts";

/** Converts a time column's text to RFC 3339 in UTC, as the table's reader does; null if it is no time. */
export function rfc3339Of(text: string, column: MappedColumn): string | null {
  const time: TimeEncoding = column.time ?? { kind: "timestamptz" };
  switch (time.kind) {
    case "timestamptz":
      return text.length < 20 ? text : `${text.slice(0, 10)}T${text.slice(11, -3)}Z`;
    case "timestamp":
      return zoned(text, time.zone);
    case "epoch":
      return fromEpoch(Number(text) / { s: 1, ms: 1000, us: 1_000_000, ns: 1_000_000_000 }[time.unit]);
    case "compact-text":
      return compact(text, time.zone);
  }
}
