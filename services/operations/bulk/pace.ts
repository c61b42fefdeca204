/** Span over which the rate is measured, ms. */
const MEASURED_MS = 10_000;
/** At a rate, items are done in steps of so many ms: all of a second at once would delay live messages. */
const STEP_MS = 50;

/**
 * How many items may be done now, by a rate that rises evenly over a ramp. Times are milliseconds of one monotonic
 * clock. At most one second's worth is made up for after a halt.
 */
export class Pace {
  readonly #ratePerSecond: number | null;
  readonly #rampMs: number;
  readonly #startedAt: number;
  #allowance = 0;
  #updatedAt: number;
  #done: { at: number; items: number }[] = [];

  constructor(input: { ratePerSecond: number | null; rampSeconds: number; now: number }) {
    this.#ratePerSecond = input.ratePerSecond;
    this.#rampMs = input.rampSeconds * 1000;
    this.#startedAt = input.now;
    this.#updatedAt = input.now;
  }

  /** None before a whole step is allowed. Infinity without a rate. */
  allowed(now: number): number {
    return this.restMs(now) > 0 ? 0 : Math.floor(this.#allowed(now));
  }

  /** Time until the next step, ms; 0: now. */
  restMs(now: number): number {
    const rate = this.#rateAt(now);
    const step = Math.max(1, (rate * STEP_MS) / 1000);
    const missing = step - this.#allowed(now);
    return missing <= 0 ? 0 : (missing / rate) * 1000;
  }

  #allowed(now: number): number {
    if (this.#ratePerSecond === null) return Number.POSITIVE_INFINITY;
    const rate = this.#rateAt((this.#updatedAt + now) / 2);
    this.#allowance = Math.min(this.#allowance + (rate * (now - this.#updatedAt)) / 1000, Math.max(rate, 1));
    this.#updatedAt = now;
    return this.#allowance;
  }

  record(items: number, now: number): void {
    this.#allowance -= items;
    if (items > 0) this.#done.push({ at: now, items });
  }

  /** Items a second over the last 10 s; null if there were none. */
  measured(now: number): number | null {
    this.#done = this.#done.filter(({ at }) => at > now - MEASURED_MS);
    if (this.#done.length === 0) return null;
    const items = this.#done.reduce((sum, one) => sum + one.items, 0);
    const spanMs = Math.min(MEASURED_MS, Math.max(now - this.#startedAt, 1000));
    return items / (spanMs / 1000);
  }

  #rateAt(at: number): number {
    const rate = this.#ratePerSecond ?? 0;
    if (this.#rampMs === 0) return rate;
    return rate * Math.min(Math.max((at - this.#startedAt) / this.#rampMs, 0), 1);
  }
}
