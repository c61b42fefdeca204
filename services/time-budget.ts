/** Minimum left for any wait, ms: enough for a known silence to be reported to the last caller. */
const LEAST_MS = 400;

/** Total time for one answer, shared by everything it awaits in turn. */
export class TimeBudget {
  readonly #untilMs: number;

  constructor(totalMs: number) {
    this.#untilMs = performance.now() + totalMs;
  }

  /** Time left, ms; never less than the report of a known silence takes. */
  get leftMs(): number {
    return Math.max(LEAST_MS, this.#untilMs - performance.now());
  }

  get isUp(): boolean {
    return performance.now() >= this.#untilMs;
  }

  /** The result of `work`, or null if the time is up first; `work` continues. Throws what `work` throws in time. */
  async waitFor<Value>(work: Promise<Value>): Promise<Value | null> {
    work.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, this.leftMs, null);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
