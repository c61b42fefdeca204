import { setTimeout as delay } from "node:timers/promises";

export type WaitOptions = { timeoutMs?: number; intervalMs?: number; message: string };

/** Longest time between polls, reached after four seconds, because polling slows down the work that is waited for. */
const LONGEST_INTERVAL_MS = 200;
const INTERVAL_SHARE = 1 / 20;

/** Long enough for any step on a machine with busy cores. A shorter limit saves no time. */
const PATIENCE_MS = 60_000;

/**
 * Polls until the answer is neither false, null nor undefined, and returns it. An answer that throws counts as "not
 * yet"; the last error becomes the failure's cause. Tests use this instead of sleeping.
 */
export async function waitFor<T>(
  fn: () => T | Promise<T>,
  { timeoutMs = PATIENCE_MS, intervalMs = 10, message }: WaitOptions,
): Promise<NonNullable<Exclude<T, false>>> {
  const startedMs = performance.now();
  const deadline = startedMs + timeoutMs;
  let lastError: unknown;
  while (true) {
    try {
      const answer = await fn();
      if (answer !== false && answer !== null && answer !== undefined) return answer as NonNullable<Exclude<T, false>>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`Waited ${timeoutMs} ms without success: ${message}`, { cause: lastError });
    }
    const waitedMs = performance.now() - startedMs;
    await delay(Math.max(intervalMs, Math.min(LONGEST_INTERVAL_MS, waitedMs * INTERVAL_SHARE)));
  }
}
