const LAST_MS = Date.parse("9999-12-31T23:59:59Z");
const FIRST_MS = Date.parse("0000-01-01T00:00:00Z");

/** RFC 3339 in UTC of a number of seconds since 1970; null if it is no number, or beyond the year 9999. */
export function fromEpoch(seconds: number): string | null {
  if (!Number.isFinite(seconds)) return null;
  const micros = Math.round(seconds * 1e6);
  const whole = Math.floor(micros / 1e6);
  return join(whole * 1000, String(micros - whole * 1e6).padStart(6, "0"));
}

/** RFC 3339 in UTC of 14 digits in a zone; null if it is no time. */
export function compact(text: string, zone: string): string | null {
  const parts = /^([1-9]\d{3})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  return zoned(`${year}-${month}-${day} ${hour}:${minute}:${second}`, zone);
}

/** RFC 3339 in UTC of a local time `2026-03-01 10:00:00.5` in a zone; null if it is no time. */
export function zoned(text: string, zone: string): string | null {
  const [, date, time, fraction = ""] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?$/.exec(text) ?? [];
  const localMs = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(localMs)) return null;
  // Computed twice: the first guess may lie on the other side of a clock change.
  const guessMs = localMs - offsetMs(localMs, zone);
  return join(localMs - offsetMs(guessMs, zone), fraction);
}

/** RFC 3339 has no year beyond 9999. */
function join(ms: number, fraction: string): string | null {
  if (!(ms >= FIRST_MS && ms <= LAST_MS)) return null;
  const digits = fraction.replace(/0+$/, "");
  return `${new Date(ms).toISOString().slice(0, 19)}${digits === "" ? "" : `.${digits}`}Z`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetMs(atMs: number, zone: string): number {
  if (zone === "UTC") return 0;
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  formats.set(zone, format);
  const part = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - atMs;
}
