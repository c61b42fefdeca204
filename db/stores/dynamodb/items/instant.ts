import { EARLIEST } from "#db/stores/shared/states/expiry.ts";
import type { MappedColumn, TimeEncoding } from "../../port/mapping.ts";

const RFC3339 = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/;

/** A stored time as RFC 3339 in UTC with microseconds; null where the text is none. A time without a zone is UTC. */
export function instantOf(text: string | null, encoding: TimeEncoding | undefined): string | null {
  if (text === null || encoding === undefined) return null;
  if (encoding.kind === "epoch") return ofEpoch(text, encoding.unit);
  const parts = RFC3339.exec(text);
  if (!parts) return null;
  const [, date, time, fraction = "", zone = "Z"] = parts;
  const ms = Date.parse(`${date}T${time}${zone}`);
  return Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, 19)}.${fraction.padEnd(6, "0").slice(0, 6)}Z`;
}

/** A program's empty text or zero time, which is no time at which something happened. */
export function isPlaceholder(text: string | null, { time }: Pick<MappedColumn, "time">): boolean {
  if (text === null || text === "") return text === "";
  const instant = instantOf(text, time ?? { kind: "timestamptz" });
  return instant !== null && instant < EARLIEST;
}

const DIGITS = { s: 0, ms: 3, us: 6, ns: 9 } as const;

/** Converts digits, because a number of microseconds is more exact than a Date. */
function ofEpoch(text: string, unit: keyof typeof DIGITS): string | null {
  const parts = /^(\d{1,19})(?:\.(\d+))?$/.exec(text);
  if (!parts) return null;
  const [, whole = "", fraction = ""] = parts;
  const digits = Math.min(DIGITS[unit], 6);
  const units = unit === "ns" ? BigInt(whole) / 1000n : BigInt(whole);
  const micros =
    units * 10n ** BigInt(6 - digits) + BigInt(fraction.padEnd(6 - digits, "0").slice(0, 6 - digits) || "0");
  const date = new Date(Number(micros / 1_000_000n) * 1000);
  if (Number.isNaN(date.getTime())) return null;
  return `${date.toISOString().slice(0, 19)}.${String(micros % 1_000_000n).padStart(6, "0")}Z`;
}

/** An instant as the attribute stores it. */
export function encodeInstant(at: Date, encoding: TimeEncoding): { S: string } | { N: string } {
  if (encoding.kind !== "epoch") return { S: at.toISOString() };
  const ms = at.getTime();
  return { N: String({ s: Math.floor(ms / 1000), ms, us: ms * 1000, ns: BigInt(ms) * 1_000_000n }[encoding.unit]) };
}

/** Of the server's clock, unless the caller says otherwise: `serverNowMs`. */
export function nowText(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, -1)}000Z`;
}
