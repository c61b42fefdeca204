/** One sample of one outbox; null means unknown. */
export interface Sample {
  inPerSecond: number | null;
  outPerSecond: number | null;
  failuresPerSecond: number | null;
  backlog: number | null;
  dead: number | null;
  oldestPendingSeconds: number | null;
  p50Ms: number | null;
  p99Ms: number | null;
}
