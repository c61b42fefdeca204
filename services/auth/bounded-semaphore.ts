/** Runs at most `concurrency` tasks at once; at most `maxWaiting` wait. */
export class BoundedSemaphore {
  readonly #concurrency: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: { concurrency: number; maxWaiting: number }) {
    this.#concurrency = options.concurrency;
    this.#maxWaiting = options.maxWaiting;
  }

  /** Undefined if too many tasks wait already. */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#running < this.#concurrency) this.#running += 1;
    else if (this.#waiting.length >= this.#maxWaiting) return undefined;
    // A finished task hands its slot to the next waiter, so that a newcomer cannot take it.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

/** Admits one per `intervalMs`; at most `maxWaiting` wait, one per key. */
export class PacedLane {
  readonly #intervalMs: number;
  readonly #maxWaiting: number;
  readonly #keys = new Set<string>();
  #nextAt = 0;

  constructor(options: { intervalMs: number; maxWaiting: number }) {
    this.#intervalMs = options.intervalMs;
    this.#maxWaiting = options.maxWaiting;
  }

  /** True after the wait; false at once if the lane is full or the key is already waiting. */
  async enter(key: string): Promise<boolean> {
    if (this.#keys.has(key) || this.#keys.size >= this.#maxWaiting) return false;
    this.#keys.add(key);
    const now = performance.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#intervalMs;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
    this.#keys.delete(key);
    return true;
  }
}
