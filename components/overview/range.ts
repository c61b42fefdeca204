export interface ChartRange {
  value: string;
  label: string;
  seconds: number;
  stepSeconds: number;
}

/** Steps keep a chart near 100 points: more are not visible and burden the database. */
export const CHART_RANGES: readonly ChartRange[] = [
  { value: "15m", label: "15 m", seconds: 900, stepSeconds: 10 },
  { value: "1h", label: "1 h", seconds: 3_600, stepSeconds: 30 },
  { value: "6h", label: "6 h", seconds: 21_600, stepSeconds: 180 },
  { value: "24h", label: "24 h", seconds: 86_400, stepSeconds: 600 },
];

const DEFAULT_RANGE = "15m";

/** An unknown value in the address falls back to the default. */
export function findRange(value: string | null): ChartRange {
  const find = (wanted: string | null) => CHART_RANGES.find((range) => range.value === wanted);
  return find(value) ?? find(DEFAULT_RANGE) ?? { value: "15m", label: "15 m", seconds: 900, stepSeconds: 10 };
}
