/**
 * Latency histogram. Bucket bounds grow by a quarter power of two from 0.125 ms to about 16 hours, so that a bucket is
 * at most 19 % wide and all of them fit into every heartbeat. Counts only grow, so that two readings can be subtracted.
 */
const FIRST_MS = 0.125;
const STEPS_PER_DOUBLING = 4;
export const LATENCY_BUCKETS = 116;

export function emptyLatencies(): number[] {
  return new Array<number>(LATENCY_BUCKETS).fill(0);
}

export function latencyBucket(latencyMs: number): number {
  if (!(latencyMs > FIRST_MS)) return 0;
  return Math.min(LATENCY_BUCKETS - 1, Math.ceil(Math.log2(latencyMs / FIRST_MS) * STEPS_PER_DOUBLING));
}

export function addLatency(buckets: number[], latencyMs: number): void {
  const index = latencyBucket(latencyMs);
  buckets[index] = (buckets[index] ?? 0) + 1;
}

/** Upper bound of a bucket, ms. */
export function latencyBucketBoundMs(index: number): number {
  return FIRST_MS * 2 ** (index / STEPS_PER_DOUBLING);
}

/** Counts added between two readings. If one fell, the counters were restarted and `now` is the result. */
export function subtractLatencies(now: readonly number[], before: readonly number[]): number[] {
  const restarted = now.some((count, index) => count < (before[index] ?? 0));
  return now.map((count, index) => (restarted ? count : count - (before[index] ?? 0)));
}

/** Upper bound of the bucket that holds the given quantile in [0, 1], ms; null when all buckets are empty. */
export function latencyQuantileMs(buckets: readonly number[], quantile: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(total * quantile));
  let seen = 0;
  for (const [index, count] of buckets.entries()) {
    seen += count;
    if (seen >= rank) return latencyBucketBoundMs(index);
  }
  return null;
}
