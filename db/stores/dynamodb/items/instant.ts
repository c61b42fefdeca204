import { EARLIEST } from "#db/stores/shared/states/expiry.ts";
import type { MappedColumn, TimeEncoding } from "../../port/mapping.ts";

const RFC3339 = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/;

/** The last instant that RFC 3339 has a year for. */
const NEVER = "9999-12-31T23:59:59.999999Z";
const [FIRST_MS, LAST_MS] = [Date.parse("0000-01-01T00:00:00Z"), Date.parse(NEVER)];

/**
 * A stored time as RFC 3339 in UTC with microseconds; null where the text is none, or is beyond the year 9999. A time
 * without a zone is UTC.
 */
export function instantOf(text: string | null, encoding: TimeEncoding | undefined): string | null {
  if (text === null || encoding === undefined) return null;
  if (encoding.kind === "epoch") return ofEpoch(text, encoding.unit);
  const parts = RFC3339.exec(text);
  if (!parts) return null;
  const [, date, time, fraction = "", zone = "Z"] = parts;
  const ms = Date.parse(`${date}T${time}${zone}`);
  return withMicros(ms, fraction.padEnd(6, "0").slice(0, 6));
}

/** A time until which something waits or lasts: a number beyond the year 9999 means never, as in the other engines. */
export function deadlineOf(text: string | null, encoding: TimeEncoding | undefined): string | null {
  return isBeyondAll(text, encoding) ? NEVER : instantOf(text, encoding);
}

/** A number that is no time up to the year 9999, as one of milliseconds among seconds. */
export function isBeyondAll(text: string | null, encoding: TimeEncoding | undefined): boolean {
  if (text === null || encoding?.kind !== "epoch" || !EPOCH.test(text)) return false;
  return Number(text) / 10 ** DIGITS[encoding.unit] > LAST_MS / 1000;
}

/** `ms`: of the whole second. */
function withMicros(ms: number, micros: string): string | null {
  if (Number.isNaN(ms) || ms > LAST_MS) return null;
  return `${new Date(Math.max(ms, FIRST_MS)).toISOString().slice(0, 19)}.${micros}Z`;
}

/** A program's empty text or zero time, which is no time at which something happened. */
export function isPlaceholder(text: string | null, { time }: Pick<MappedColumn, "time">): boolean {
  if (text === null || text === "") return text === "";
  const instant = instantOf(text, time ?? { kind: "timestamptz" });
  return instant !== null && instant < EARLIEST;
}

const EPOCH = /^(\d{1,19})(?:\.(\d+))?$/;
const DIGITS = { s: 0, ms: 3, us: 6, ns: 9 } as const;

/** Converts digits, because a number of microseconds is more exact than a Date. */
function ofEpoch(text: string, unit: keyof typeof DIGITS): string | null {
  const parts = EPOCH.exec(text);
  if (!parts) return null;
  const [, whole = "", fraction = ""] = parts;
  const digits = Math.min(DIGITS[unit], 6);
  const units = unit === "ns" ? BigInt(whole) / 1000n : BigInt(whole);
  const micros =
    units * 10n ** BigInt(6 - digits) + BigInt(fraction.padEnd(6 - digits, "0").slice(0, 6 - digits) || "0");
  return withMicros(Number(micros / 1_000_000n) * 1000, String(micros % 1_000_000n).padStart(6, "0"));
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
