import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "#domain/errors.ts";

const WITHIN_MS = 60_000;

/** Polls the console's liveness until it answers; throws a sentence when it does not. */
export async function waitUntilLive(url: string): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  let last = "nothing answered";
  while (Date.now() < deadline) {
    try {
      const response = await fetch(`${url}/api/health/live`, { signal: AbortSignal.timeout(5_000) });
      await response.body?.cancel();
      if (response.ok) return;
      last = `it answered ${response.status}`;
    } catch (error) {
      last = messageOf(error);
    }
    await delay(100);
  }
  throw new Error(`The console did not come up on ${url} within ${WITHIN_MS / 1000} s (${last}).`);
}
