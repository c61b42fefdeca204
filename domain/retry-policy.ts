export interface RetryPolicy {
  initialMs: number;
  maxMs: number;
  maxAttempts: number;
}

/**
 * Exponential back-off with full jitter: uniform in [0, min(max, initial * 2^(attempts-1))], never below 50 ms so that
 * a retry is not part of the failure it waits for. `random` is in [0, 1).
 * Source: AWS Architecture Blog, "Exponential Backoff And Jitter".
 */
export function retryDelayMs(policy: RetryPolicy, attempts: number, random: number): number {
  const ceiling = Math.min(policy.maxMs, policy.initialMs * 2 ** Math.min(Math.max(attempts, 1) - 1, 30));
  return Math.max(50, Math.round(ceiling * random));
}
