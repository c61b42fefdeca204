import { ClientError } from "../errors.ts";

/** Milliseconds, or a number with a unit: `250ms`, `10s`, `5m`, `2h`, `7d`. */
export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d"}`;

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOST_MS = 10 * 365 * 86_400_000;

export function toMs(duration: Duration): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration)) ?? [];
  const ms = typeof duration === "number" ? duration : Number(count) * (UNITS[unit ?? ""] ?? Number.NaN);
  if (ms >= 0 && ms <= MOST_MS) return ms;
  const shown = typeof duration === "number" ? String(duration) : JSON.stringify(duration);
  throw new ClientError(
    "invalid_input",
    `${shown} is not a duration from 0 to ten years: a number of milliseconds, or a number with ms, s, m, h or d, such as "10m".`,
  );
}
