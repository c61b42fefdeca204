"use client";

import { Area, CartesianGrid, ComposedChart, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from "recharts";
import { remPx } from "#components/charts/rem-px.ts";
import type { Storage } from "#contracts/outbox/storage.ts";
import { formatBytes } from "#domain/format.ts";

const MARGIN = { top: 10, right: 8, bottom: 0, left: 0 };

/** Below this length the axis shows times, because labels of days would repeat. */
const FEW_DAYS_MS = 3 * 86_400_000;

/** The limit is drawn once the table takes a third of it: further away it would flatten the line. */
const NEAR = 3;

export function SizeChart({ growth: { points, limitBytes } }: Pick<Storage, "growth">) {
  const data = points.map(({ at, bytes }) => ({ atMs: Date.parse(at), bytes }));
  const largest = Math.max(...data.map(({ bytes }) => bytes));
  const spanMs = (data.at(-1)?.atMs ?? 0) - (data[0]?.atMs ?? 0);
  const tick = spanMs < FEW_DAYS_MS ? ([11, 16] as const) : ([5, 10] as const);
  const limit = limitBytes !== null && largest * NEAR > limitBytes ? limitBytes : null;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={data} margin={MARGIN} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--grid)" />
        <XAxis
          dataKey="atMs"
          type="number"
          domain={["dataMin", "dataMax"]}
          tickFormatter={(atMs: number) => new Date(atMs).toISOString().slice(...tick)}
          tickLine={false}
          axisLine={false}
          height={remPx(22)}
          minTickGap={remPx(40)}
        />
        <YAxis
          width={remPx(62)}
          domain={[0, Math.max(largest, limit ?? 0) * 1.1]}
          tickFormatter={(bytes: number) => formatBytes(Math.round(bytes))}
          tickLine={false}
          axisLine={false}
        />
        <Area
          dataKey="bytes"
          stroke="var(--fly)"
          fill="var(--fly)"
          fillOpacity={0.12}
          dot={false}
          isAnimationActive={false}
          type="linear"
        />
        {limit !== null && <ReferenceLine y={limit} stroke="var(--bad)" strokeDasharray="4 3" />}
      </ComposedChart>
    </ResponsiveContainer>
  );
}
