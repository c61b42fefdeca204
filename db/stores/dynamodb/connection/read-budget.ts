import type { ReadUnits } from "#db/stores/port/store.ts";
import { AppError } from "#domain/errors.ts";

const MINUTE_MS = 60_000;

/**
 * Bounds the read capacity that this process takes from the team's tables. Units flow in steadily, up to those of one
 * minute. The cost of a request is known after its answer, so the last request before a refusal may overdraw.
 */
export class ReadBudget {
  readonly unitsPerMinute: number;
  #left: number;
  #atMs: number;
  readonly #now: () => number;

  constructor(unitsPerMinute: number, now: () => number = () => performance.now()) {
    this.unitsPerMinute = unitsPerMinute;
    this.#left = unitsPerMinute;
    this.#now = now;
    this.#atMs = now();
  }

  /** Throws unavailable when the units are used up. `of` names the store. */
  require(of: string): void {
    this.#refill();
    if (this.#left > 0) return;
    const seconds = Math.ceil(((1 - this.#left) / this.unitsPerMinute) * 60);
    throw new AppError(
      "unavailable",
      `The reads of ${of} have used up their ${this.unitsPerMinute} capacity units of this minute; the next are available in ${seconds} s. Raise readUnitsPerMinute in outbox.yaml if that is too few.`,
    );
  }

  /** Time until a unit is available, ms. */
  waitMs(): number {
    this.#refill();
    return this.#left > 0 ? 0 : ((1 - this.#left) * MINUTE_MS) / this.unitsPerMinute;
  }

  take(units: number): void {
    this.#refill();
    this.#left -= units;
  }

  /** Time for which to reuse a reading of this many units so that steady readers stay within the budget, ms. */
  restMs(units: number, readers: number): number {
    return (units * readers * MINUTE_MS) / this.unitsPerMinute;
  }

  state(): ReadUnits {
    this.#refill();
    return { perMinute: this.unitsPerMinute, used: Math.max(0, this.unitsPerMinute - this.#left) };
  }

  #refill(): void {
    const now = this.#now();
    const flowed = ((now - this.#atMs) / MINUTE_MS) * this.unitsPerMinute;
    this.#left = Math.min(this.unitsPerMinute, this.#left + flowed);
    this.#atMs = now;
  }
}
