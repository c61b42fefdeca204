/** A search that runs beside the reads takes at most a twentieth of the time. */
const SHARE = 20;
/** Wait after a failed step, such as one that timed out: new messages come first. */
const AFTER_FAILURE_MS = 30_000;

/** When a background search takes its next step: each step rests for a multiple of the time that it took. */
export class SearchPace {
  readonly #afterFailureMs: number;
  #notBeforeMs = 0;

  constructor({ afterFailureMs = AFTER_FAILURE_MS }: { afterFailureMs?: number } = {}) {
    this.#afterFailureMs = afterFailureMs;
  }

  isDue(nowMs = performance.now()): boolean {
    return nowMs >= this.#notBeforeMs;
  }

  /**
   * Call at the end of a step that began at `startedMs`. It rests `share` times as long as it took, at least `leastMs`.
   * Returns that wait, ms.
   */
  rest(startedMs: number, { share = SHARE, leastMs = 0 }: { share?: number; leastMs?: number } = {}): number {
    const endedMs = performance.now();
    const waitMs = Math.max(leastMs, (endedMs - startedMs) * share);
    this.#notBeforeMs = endedMs + waitMs;
    return waitMs;
  }

  restAfterFailure(): void {
    this.#notBeforeMs = performance.now() + this.#afterFailureMs;
  }
}
