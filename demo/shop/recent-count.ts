/** Rate per second over a sliding window, by the monotonic clock. */
export class RecentCount {
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #startedAt: number;
  #entries: { at: number; count: number }[] = [];

  constructor(windowMs: number, now: () => number = () => performance.now()) {
    this.#windowMs = windowMs;
    this.#now = now;
    this.#startedAt = now();
  }

  add(count: number): void {
    this.#entries.push({ at: this.#now(), count });
    this.#forget();
  }

  perSecond(): number {
    this.#forget();
    const total = this.#entries.reduce((sum, entry) => sum + entry.count, 0);
    const spanMs = Math.min(this.#windowMs, Math.max(1_000, this.#now() - this.#startedAt));
    return Math.round((total / spanMs) * 10_000) / 10;
  }

  #forget(): void {
    const limit = this.#now() - this.#windowMs;
    const first = this.#entries.findIndex((entry) => entry.at >= limit);
    this.#entries = first === -1 ? [] : this.#entries.slice(first);
  }
}
