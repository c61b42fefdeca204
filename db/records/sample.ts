/** What is sampled of one outbox; null where it is not known. */
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
