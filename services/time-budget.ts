/** A silence that is known is told within this time, ms: whoever asks last still hears of it. */
const LEAST_MS = 400;

/** The time that one answer may take in all, shared by everything that it waits for one after another. */
export class TimeBudget {
  readonly #untilMs: number;

  constructor(totalMs: number) {
    this.#untilMs = performance.now() + totalMs;
  }

  /** What is left, ms; never less than a known silence takes to be told. */
  get leftMs(): number {
    return Math.max(LEAST_MS, this.#untilMs - performance.now());
  }

  /** What `work` gives, or null when the time is up before; `work` runs on. Throws what `work` throws in time. */
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
