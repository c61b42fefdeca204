const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;
const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** "90s", "5m", "250 ms", "7d" as milliseconds; undefined when it is not a duration. */
export function parseDurationMs(text: string): number | undefined {
  const match = DURATION.exec(text.trim());
  return match ? Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? Number.NaN) : undefined;
}
