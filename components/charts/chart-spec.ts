import type { ChartPoint } from "./series-points.ts";

export interface ChartLine {
  field: string;
  label: string;
  color: string;
  filled?: boolean;
}

/** Everything that one time chart draws; the drawing library itself is loaded later. */
export interface ChartSpec {
  points: readonly ChartPoint[];
  fromMs: number;
  toMs: number;
  lines: readonly ChartLine[];
  yTicks: readonly number[];
  formatTick: (value: number) => string;
  formatValue: (value: number) => string;
  /** Drawn whether breached or not. */
  limit?: number | undefined;
  marks?: readonly { atMs: number; label: string }[];
}
