export interface RetryPolicy {
  initialMs: number;
  maxMs: number;
  maxAttempts: number;
}

/**
 * Exponential back-off with full jitter, ms: uniform in [0, min(max, initial * 2^(attempts-1))], but at least 50, so
 * that a retry does not run into the failure that it waits for. `random` is in [0, 1). Source: AWS Architecture Blog,
 * "Exponential Backoff And Jitter".
 */
export function retryDelayMs(policy: RetryPolicy, attempts: number, random: number): number {
  const ceiling = Math.min(policy.maxMs, policy.initialMs * 2 ** Math.min(Math.max(attempts, 1) - 1, 30));
  return Math.max(50, Math.round(ceiling * random));
}
