import type { Sample } from "#contracts/outbox/snapshot.ts";

export type ChartPoint = { atMs: number } & Record<string, number | null>;
type Field = Exclude<keyof Sample, "at">;

/** A gap longer than this many steps is drawn as such; the sampler's jitter stays below it. */
const GAP_STEPS = 1.9;

/**
 * Points in time order. Every gap gets an empty point, so that the line breaks there instead of dropping to zero or
 * running straight across.
 */
export function toChartPoints(samples: readonly Sample[], fields: readonly Field[], stepSeconds: number): ChartPoint[] {
  const points: ChartPoint[] = [];
  for (const sample of samples) {
    const atMs = Date.parse(sample.at);
    const previous = points.at(-1);
    if (previous !== undefined && atMs - previous.atMs > stepSeconds * 1000 * GAP_STEPS) {
      points.push(toPoint(previous.atMs + stepSeconds * 1000, fields, () => null));
    }
    points.push(toPoint(atMs, fields, (field) => sample[field]));
  }
  return points;
}

function toPoint(atMs: number, fields: readonly Field[], read: (field: Field) => number | null): ChartPoint {
  return Object.assign({ atMs }, Object.fromEntries(fields.map((field) => [field, read(field)])));
}

/** Largest value of the fields; 0 if none is known. */
export function maxOf(points: readonly ChartPoint[], fields: readonly string[]): number {
  let max = 0;
  for (const point of points) for (const field of fields) max = Math.max(max, point[field] ?? 0);
  return max;
}

/** The newest point at which a field is known; undefined if there is none. */
export function lastOf(points: readonly ChartPoint[], field: string): ChartPoint | undefined {
  return points.findLast((point) => point[field] !== null && point[field] !== undefined);
}

interface Range {
  points: readonly ChartPoint[];
  toMs: number;
  stepMs: number;
}

/** The value of a field at the end of the range; null if its newest point is older than a gap. */
export function nowOf({ points, toMs, stepMs }: Range, field: string): number | null {
  const last = lastOf(points, field);
  return last === undefined || toMs - last.atMs > stepMs * (1 + GAP_STEPS) ? null : (last[field] ?? null);
}
