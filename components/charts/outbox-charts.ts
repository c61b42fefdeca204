import { formatCompact } from "#components/ui/format/format-figure.ts";
import type { Sample, Series } from "#contracts/outbox/snapshot.ts";
import { formatCount, formatDuration, formatRate } from "#domain/format.ts";
import type { ChartLine, ChartSpec } from "./chart-spec.ts";
import { maxOf, nowOf, toChartPoints } from "./series-points.ts";
import { formatAxisDuration, niceDurationTicks, niceTicks } from "./ticks.ts";

/** Smallest top of the axis, so that a handful of waiting messages does not fill the chart. */
const CALM_BACKLOG = 20;

type Field = Exclude<keyof Sample, "at">;

/** Points and time axis of one chart, with ticks where given. */
function frame(series: Series, fields: readonly Field[], withMarks: boolean) {
  const marks = series.marks.map((mark) => ({ atMs: Date.parse(mark.at), label: mark.label }));
  return {
    points: toChartPoints(series.samples, fields, series.stepSeconds),
    fromMs: Date.parse(series.from),
    toMs: Date.parse(series.to),
    stepMs: series.stepSeconds * 1000,
    marks: withMarks ? marks : [],
  };
}

/** Messages in and out per second; the chart shows whether the two lines coincide. */
export function ratesChart(series: Series): ChartSpec {
  const base = frame(series, ["inPerSecond", "outPerSecond"], true);
  const lines: ChartLine[] = [
    { field: "inPerSecond", label: "in", color: "var(--c1)" },
    { field: "outPerSecond", label: "out", color: "var(--c2)", filled: true },
  ];
  const yTicks = niceTicks(maxOf(base.points, ["inPerSecond", "outPerSecond"]), 0.25);
  return { ...base, lines, yTicks, formatTick: formatCompactTick, formatValue: (value) => `${formatRate(value)}/s` };
}

/** Red only once the limit is breached; the limit is always drawn. */
export function oldestChart(series: Series, limitSeconds: number | undefined): ChartSpec {
  const base = frame(series, ["oldestPendingSeconds"], false);
  const breached = limitSeconds !== undefined && (nowOf(base, "oldestPendingSeconds") ?? 0) > limitSeconds;
  const color = breached ? "var(--bad)" : "var(--c1)";
  const lines: ChartLine[] = [{ field: "oldestPendingSeconds", label: "oldest", color, filled: true }];
  const top = Math.max(maxOf(base.points, ["oldestPendingSeconds"]), (limitSeconds ?? 0) * 1.15);
  const yTicks = niceDurationTicks(top);
  return { ...base, lines, yTicks, limit: limitSeconds, formatTick: formatAxisDuration, formatValue: formatDuration };
}

export function latencyChart(series: Series): ChartSpec {
  const base = frame(series, ["p50Ms", "p99Ms"], false);
  const lines: ChartLine[] = [
    { field: "p50Ms", label: "p50", color: "var(--c2)" },
    { field: "p99Ms", label: "p99", color: "var(--c1)" },
  ];
  const maxMs = maxOf(base.points, ["p50Ms", "p99Ms"]);
  const yTicks = maxMs < 1000 ? niceTicks(maxMs, 1) : niceDurationTicks(maxMs / 1000).map((tick) => tick * 1000);
  return { ...base, lines, yTicks, formatTick: formatMs, formatValue: formatMs };
}

export function backlogChart(series: Series): ChartSpec {
  const base = frame(series, ["backlog"], false);
  const lines: ChartLine[] = [{ field: "backlog", label: "backlog", color: "var(--c1)", filled: true }];
  const yTicks = niceTicks(Math.max(maxOf(base.points, ["backlog"]), CALM_BACKLOG));
  return { ...base, lines, yTicks, formatTick: formatCompactTick, formatValue: formatCount };
}

function formatMs(valueMs: number): string {
  if (valueMs >= 1000) return formatAxisDuration(Number((valueMs / 1000).toFixed(1)));
  return `${valueMs < 10 ? Number(valueMs.toFixed(1)) : Math.round(valueMs)} ms`;
}

function formatCompactTick(value: number): string {
  return value < 1000 ? String(value) : formatCompact(value).replace(" ", "");
}
