/** Span over which the rate is measured, ms. */
const MEASURED_MS = 10_000;
/** At a rate, items are done in steps of this length, ms: a second's worth at once would delay live messages. */
const STEP_MS = 20;
/** Time that is made up for after a halt: of the operator's rate, and of the one that live messages leave. */
const MADE_UP_MS = 1000;
const MADE_UP_BESIDE_LIVE_MS = 2 * STEP_MS;

/**
 * How many items may be done now, by a rate that rises evenly over a ramp. Times are milliseconds of one monotonic
 * clock.
 */
export class Pace {
  readonly #ratePerSecond: number | null;
  readonly #rampMs: number;
  readonly #startedAt: number;
  #limit: number | null = null;
  #allowance = 0;
  #updatedAt: number;
  #done: { at: number; items: number }[] = [];

  constructor(input: { ratePerSecond: number | null; rampSeconds: number; now: number }) {
    this.#ratePerSecond = input.ratePerSecond;
    this.#rampMs = input.rampSeconds * 1000;
    this.#startedAt = input.now;
    this.#updatedAt = input.now;
  }

  /** From now on at most `limit` items a second, even if the rate is higher; null: no such limit. */
  limitTo(limit: number | null): void {
    this.#limit = limit;
  }

  /** None before a whole step is allowed. Infinity without a rate. */
  allowed(now: number): number {
    return this.restMs(now) > 0 ? 0 : Math.floor(this.#allowed(now));
  }

  /** Time until the next step, ms; 0: now. */
  restMs(now: number): number {
    const rate = this.#rateAt(now);
    if (rate === 0) return Number.POSITIVE_INFINITY;
    if (rate === Number.POSITIVE_INFINITY) return 0;
    const step = Math.max(1, (rate * STEP_MS) / 1000);
    const missing = step - this.#allowed(now);
    return missing <= 0 ? 0 : (missing / rate) * 1000;
  }

  #allowed(now: number): number {
    const rate = this.#rateAt((this.#updatedAt + now) / 2);
    const sinceMs = now - this.#updatedAt;
    this.#updatedAt = now;
    if (rate === Number.POSITIVE_INFINITY) {
      this.#allowance = 0;
      return rate;
    }
    const most = (rate * (this.#limit === null ? MADE_UP_MS : MADE_UP_BESIDE_LIVE_MS)) / 1000;
    this.#allowance = Math.min(this.#allowance + (rate * sinceMs) / 1000, Math.max(most, 1));
    return this.#allowance;
  }

  record(items: number, now: number): void {
    this.#allowance -= items;
    if (items > 0) this.#done.push({ at: now, items });
  }

  /** Items a second over the last 10 s, or `spanMs`; null if there were none. */
  measured(now: number, spanMs = MEASURED_MS): number | null {
    this.#done = this.#done.filter(({ at }) => at > now - MEASURED_MS);
    const done = this.#done.filter(({ at }) => at > now - spanMs);
    if (done.length === 0) return null;
    const items = done.reduce((sum, one) => sum + one.items, 0);
    return items / (Math.min(spanMs, Math.max(now - this.#startedAt, 1000)) / 1000);
  }

  #rateAt(at: number): number {
    const rate = this.#ratePerSecond ?? Number.POSITIVE_INFINITY;
    const ramped = this.#rampMs === 0 ? rate : rate * Math.min(Math.max((at - this.#startedAt) / this.#rampMs, 0), 1);
    return Math.min(Number.isNaN(ramped) ? 0 : ramped, this.#limit ?? Number.POSITIVE_INFINITY);
  }
}
