"use client";

import { formatUtcInFull } from "#components/ui/format/format-instant.ts";
import { lazyPart } from "#components/ui/lazy/lazy-part.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import css from "./chart-card.module.css";
import type { ChartLine, ChartSpec } from "./chart-spec.ts";
import { lastOf, nowOf } from "./series-points.ts";

/** The chart library is the console's largest script: it loads after the figures, into reserved space. */
const TimeChart = lazyPart(
  () => import("./time-chart.tsx").then((module) => module.TimeChart),
  <div className={css.empty}>The chart could not be loaded.</div>,
);

interface ChartCardProps {
  title: string;
  /** Muted text at the right for a single line; several lines have a legend instead. */
  aside?: string;
  /** undefined while the first answer is pending. */
  spec: ChartSpec | undefined;
  /** Text of an empty chart. */
  emptyText: string;
}

/** A chart in a panel of fixed size, whether empty, loading or full. */
export function ChartCard({ title, aside, spec, emptyText }: ChartCardProps) {
  const empty = spec?.lines.every((line) => lastOf(spec.points, line.field) === undefined);
  return (
    <Panel title={title} aside={aside ?? (spec && <Legend lines={spec.lines} />)}>
      <div className={css.plot} role="img" aria-label={spec && describe(title, spec)} aria-busy={spec === undefined}>
        {spec !== undefined && <TimeChart spec={spec} />}
        {empty && <div className={css.empty}>{emptyText}</div>}
      </div>
    </Panel>
  );
}

function Legend({ lines }: { lines: readonly ChartLine[] }) {
  return (
    <span className={css.legend}>
      {lines.map((line) => (
        <span key={line.field} className={css.key}>
          <i className={css.swatch} style={{ background: line.color }} aria-hidden />
          {line.label}
        </span>
      ))}
    </span>
  );
}

function describe(title: string, spec: ChartSpec): string {
  const values = spec.lines.map((line) => {
    const value = nowOf(spec, line.field);
    if (value !== null) return `${line.label} ${spec.formatValue(value)}`;
    const last = lastOf(spec.points, line.field);
    return `${line.label} no data${last === undefined ? "" : ` since ${formatUtcInFull(last.atMs)} UTC`}`;
  });
  const limit = spec.limit === undefined ? "" : `; limit ${spec.formatValue(spec.limit)}`;
  return `${title}: now ${values.join(", ")}${limit}`;
}
