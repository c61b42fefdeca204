import type { ChartPoint } from "./series-points.ts";

export interface ChartLine {
  field: string;
  label: string;
  color: string;
  filled?: boolean;
}

/** Everything that a time chart draws; the chart library loads later. */
export interface ChartSpec {
  points: readonly ChartPoint[];
  fromMs: number;
  toMs: number;
  /** Time between two points. */
  stepMs: number;
  lines: readonly ChartLine[];
  yTicks: readonly number[];
  formatTick: (value: number) => string;
  formatValue: (value: number) => string;
  /** Drawn even if not breached. */
  limit?: number | undefined;
  marks?: readonly { atMs: number; label: string }[];
}
