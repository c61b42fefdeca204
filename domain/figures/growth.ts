const DAY_MS = 86_400_000;
/** Over a shorter time one vacuum or one batch of retention would look like a trend. */
const LEAST_SPAN_MS = 6 * 3_600_000;
const LEAST_POINTS = 6;

export interface SizeAt {
  at: string;
  bytes: number;
}

/** Bytes a day, by the straight line that fits the points best; null while there are too few of them. */
export function growthPerDay(points: readonly SizeAt[]): number | null {
  const known = points.map(({ at, bytes }) => ({ ms: Date.parse(at), bytes }));
  const times = known.map(({ ms }) => ms);
  if (known.length < LEAST_POINTS || Math.max(...times) - Math.min(...times) < LEAST_SPAN_MS) return null;
  const meanMs = times.reduce((sum, ms) => sum + ms, 0) / known.length;
  const meanBytes = known.reduce((sum, { bytes }) => sum + bytes, 0) / known.length;
  const along = known.reduce((sum, { ms, bytes }) => sum + (ms - meanMs) * (bytes - meanBytes), 0);
  const across = known.reduce((sum, { ms }) => sum + (ms - meanMs) ** 2, 0);
  return (along / across) * DAY_MS;
}

/** Time between the first and the last of the points, which are in order. */
export function spanSeconds(points: readonly SizeAt[]): number {
  const [first, last] = [points[0], points.at(-1)];
  return first === undefined || last === undefined ? 0 : (Date.parse(last.at) - Date.parse(first.at)) / 1000;
}

/** Days until `limit` is reached at this growth: 0 if it is, null if it never is or is not known. */
export function daysUntil(input: { bytes: number | null; perDay: number | null; limit: number | null }): number | null {
  const { bytes, perDay, limit } = input;
  if (bytes === null || limit === null) return null;
  if (bytes >= limit) return 0;
  return perDay === null || perDay <= 0 ? null : (limit - bytes) / perDay;
}
