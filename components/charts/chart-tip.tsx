import css from "./chart-card.module.css";
import type { ChartSpec } from "./chart-spec.ts";

interface ChartTipProps {
  spec: ChartSpec;
  /** Passed by the chart. */
  active?: boolean;
  label?: number | string;
}

/** The values under the cursor, with the time in UTC; empty where there is no sample. */
export function ChartTip({ spec, active, label }: ChartTipProps) {
  const point = spec.points.find((candidate) => candidate.atMs === Number(label));
  if (!active || point === undefined) return null;
  return (
    <div className={css.tip}>
      <span className="muted">{new Date(point.atMs).toISOString().slice(11, 19)} UTC</span>
      <dl>
        {spec.lines.map((line) => {
          const value = point[line.field];
          return (
            <div key={line.field} style={{ display: "contents" }}>
              <dt style={{ color: line.color }}>{line.label}</dt>
              <dd>{value === null || value === undefined ? "no data" : spec.formatValue(value)}</dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
