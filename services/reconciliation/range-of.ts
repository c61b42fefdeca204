/**
 * Of times in the order of a list: the earliest and the latest, null unless all are known; and whether they go from new
 * to old.
 */
export function rangeOf(times: readonly (string | null)[]): {
  from: string | null;
  to: string | null;
  inTime: boolean;
} {
  const known = times.filter((time) => time !== null);
  if (known.length < times.length) return { from: null, to: null, inTime: false };
  const sorted = known.toSorted();
  const inTime = known.every((time, index) => index === 0 || time <= (known[index - 1] ?? time));
  return { from: sorted[0] ?? null, to: sorted.at(-1) ?? null, inTime };
}
