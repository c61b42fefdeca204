"use client";

import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import css from "./chart-card.module.css";
import type { ChartLine, ChartSpec } from "./chart-spec.ts";
import { ChartTip } from "./chart-tip.tsx";
import { remPx } from "./rem-px.ts";
import { timeTicks } from "./ticks.ts";

const MARGIN = { top: 10, right: 4, bottom: 0, left: 0 };
const TIME_TICKS = 6;

function utcClock(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 16);
}

/** Lines over time with their limit; gaps stay gaps. All charts of a page share one cursor. */
export function TimeChart({ spec }: { spec: ChartSpec }) {
  const top = spec.yTicks.at(-1) ?? 1;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={[...spec.points]}
        margin={MARGIN}
        syncId="outbox"
        syncMethod="value"
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--grid)" />
        <XAxis
          dataKey="atMs"
          type="number"
          domain={[spec.fromMs, spec.toMs]}
          ticks={timeTicks(spec.fromMs, spec.toMs, TIME_TICKS)}
          tickFormatter={utcClock}
          tickLine={false}
          axisLine={false}
          tickMargin={6}
          height={remPx(22)}
          interval="preserveStartEnd"
        />
        <YAxis
          width={remPx(40)}
          domain={[0, top]}
          ticks={[...spec.yTicks]}
          tickFormatter={(tick: number) => spec.formatTick(tick).replaceAll(" ", "\u00a0")}
          tickLine={false}
          axisLine={false}
          tickMargin={4}
          interval={0}
        />
        <Tooltip content={<ChartTip spec={spec} />} isAnimationActive={false} cursor={{ stroke: "var(--line3)" }} />
        {spec.lines.toSorted(filledFirst).map(drawLine)}
        {spec.limit !== undefined && (
          <ReferenceLine
            y={spec.limit}
            stroke="var(--bad)"
            strokeDasharray="4 3"
            label={{ value: "limit", position: "insideBottomRight", className: css.limit, offset: 3 }}
          />
        )}
        {labelledMarks(spec).map((mark) => (
          <ReferenceLine
            key={mark.atMs + mark.label}
            x={mark.atMs}
            stroke="var(--ink3)"
            strokeDasharray="2 3"
            {...(mark.hasRoom ? { label: { value: mark.label, position: markSide(mark.atMs, spec), offset: 5 } } : {})}
          />
        ))}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

/** Lines are drawn over areas, whatever the order of the legend. */
function filledFirst(a: ChartLine, b: ChartLine): number {
  return Number(b.filled ?? false) - Number(a.filled ?? false);
}

function drawLine(line: ChartLine) {
  const shared = {
    dataKey: line.field,
    stroke: line.color,
    strokeWidth: 1.6,
    dot: false,
    activeDot: { r: 2.5, strokeWidth: 0 },
    isAnimationActive: false,
    connectNulls: false,
    type: "linear",
  } as const;
  if (line.filled) return <Area key={line.field} {...shared} fill={line.color} fillOpacity={0.12} />;
  return <Line key={line.field} {...shared} />;
}

/** Share of the axis that a label may take on a phone. */
const LABEL_SHARE = 0.26;

/** Newest first: where marks are close together, only the latest gets a label. */
function labelledMarks(spec: ChartSpec) {
  let freeUntil = Number.POSITIVE_INFINITY;
  return (spec.marks ?? []).toReversed().map((mark) => {
    const at = shareOf(mark.atMs, spec);
    const [from, to] = markSide(mark.atMs, spec) === "insideTopRight" ? [at - LABEL_SHARE, at] : [at, at + LABEL_SHARE];
    const hasRoom = to <= freeUntil;
    freeUntil = Math.min(freeUntil, hasRoom ? from : at);
    return { ...mark, hasRoom };
  });
}

/** Places the label on the side with more space. */
function markSide(atMs: number, spec: ChartSpec): "insideTopLeft" | "insideTopRight" {
  return shareOf(atMs, spec) > 1 - LABEL_SHARE ? "insideTopRight" : "insideTopLeft";
}

/** Position on the time axis, from 0 at its start to 1 at its end. */
function shareOf(atMs: number, spec: ChartSpec): number {
  return (atMs - spec.fromMs) / (spec.toMs - spec.fromMs);
}
