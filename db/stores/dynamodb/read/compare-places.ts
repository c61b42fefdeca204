/** Compares two places of a list: by sort key, then by id. */
export function comparePlaces(one: readonly [string, string], other: readonly [string, string]): number {
  if (one[0] !== other[0]) return one[0] < other[0] ? -1 : 1;
  return one[1] < other[1] ? -1 : one[1] > other[1] ? 1 : 0;
}
