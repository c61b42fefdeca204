import { setTimeout as delay } from "node:timers/promises";

export interface RepeatOptions {
  /** Name in the log. */
  name: string;
  /** Pause between runs, ms: a number, or a function called before each pause. */
  everyMs: number | (() => number);
  signal: AbortSignal;
  run: () => Promise<void>;
  onError: (name: string, error: unknown) => void;
  /** Longest pause after failures, ms; each failure doubles the pause. Default: eight times `everyMs`. */
  longestMs?: number;
}

/** Runs repeatedly until aborted; resolves when the last run has ended. A failure is logged and retried later. */
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
