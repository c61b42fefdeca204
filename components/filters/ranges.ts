/** Ranges that end now, shortest first. */
export const RANGES = [
  { key: "15m", label: "Last 15 min", seconds: 900 },
  { key: "1h", label: "Last 1 h", seconds: 3_600 },
  { key: "24h", label: "Last 24 h", seconds: 86_400 },
  { key: "7d", label: "Last 7 d", seconds: 604_800 },
] as const;
export type RangeKey = (typeof RANGES)[number]["key"];

export function readRange(value: string | null): RangeKey | undefined {
  return RANGES.find(({ key }) => key === value)?.key;
}
