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
