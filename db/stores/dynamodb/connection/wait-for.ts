import { setTimeout as delay } from "node:timers/promises";

const LOOK_EVERY_MS = 250;

/** What `look` finds in time; null if it finds nothing. */
export async function waitFor<T>(withinMs: number, look: () => Promise<T | null>): Promise<T | null> {
  const until = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null || performance.now() > until) return found;
    await delay(LOOK_EVERY_MS);
  }
}
