import { setTimeout as delay } from "node:timers/promises";

export interface RepeatOptions {
  /** Named in the log. */
  name: string;
  /** A number, or asked before each rest. */
  everyMs: number | (() => number);
  signal: AbortSignal;
  run: () => Promise<void>;
  onError: (name: string, error: unknown) => void;
  /** Longest pause after failures, each of which doubles it. Default: eight times `everyMs`. */
  longestMs?: number;
}

/** Runs again and again until told to stop; resolves when the last run is over. A failure is told and tried again later. */
export async function repeat(options: RepeatOptions): Promise<void> {
  const { signal } = options;
  const pace = () => (typeof options.everyMs === "number" ? options.everyMs : options.everyMs());
  let failures = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    try {
      await options.run();
      failures = 0;
    } catch (error) {
      failures += 1;
      options.onError(options.name, error);
    }
    const tookMs = performance.now() - startedAt;
    const everyMs = pace();
    const longestMs = options.longestMs ?? everyMs * 8;
    const wantedMs = failures > 0 ? Math.min(everyMs * 2 ** Math.min(failures - 1, 10), longestMs) : everyMs;
    await delay(Math.max(wantedMs - tookMs, 0), undefined, { signal }).catch(() => undefined);
  }
}
