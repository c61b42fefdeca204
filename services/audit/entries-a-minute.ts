const MINUTE_MS = 60_000;
const MOST_KNOWN = 1_000;

export type EntriesAMinute = Map<string, { fromMs: number; entries: number }>;

/**
 * Number of entries of this key within the minute, this one included: an audit cannot be emptied, so floods are cut.
 */
export function countEntry(known: EntriesAMinute, key: string): number {
  const now = performance.now();
  const last = known.get(key);
  const current = last && now - last.fromMs < MINUTE_MS ? last : { fromMs: now, entries: 0 };
  current.entries += 1;
  known.delete(key);
  const [oldest] = known.size >= MOST_KNOWN ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
  known.set(key, current);
  return current.entries;
}
