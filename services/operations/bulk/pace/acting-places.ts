/**
 * Bulk operations of one store that act on messages at the same time; the store has three connections for all writes.
 */
const MOST_ACTING = 4;
/** After this time, ms, an operation passes its place on, if another waits for one. */
const HOLD_MS = 10_000;

/**
 * Places of one store's operations that act on messages; following the outcomes of retried ones needs none. Nobody is
 * woken: an operation without a place asks again, and its place in the line stays as long as it does.
 */
export class ActingPlaces {
  readonly #most: number;
  /** Since when each operation has its place. */
  readonly #held = new Map<string, number>();
  /** In order of arrival. */
  readonly #waiting = new Set<string>();
  #passedOnAtMs = Number.NEGATIVE_INFINITY;

  constructor(most = MOST_ACTING) {
    this.#most = most;
  }

  /** True if the operation may act now. */
  ask(id: string): boolean {
    const nowMs = performance.now();
    const sinceMs = this.#held.get(id);
    if (sinceMs !== undefined && !this.#mustPassOn(sinceMs, nowMs)) return true;
    if (this.#held.delete(id)) this.#passedOnAtMs = nowMs;
    this.#waiting.add(id);
    const free = this.#most - this.#held.size;
    if ([...this.#waiting].indexOf(id) >= free) return false;
    this.#waiting.delete(id);
    this.#held.set(id, nowMs);
    return true;
  }

  leave(id: string): void {
    this.#held.delete(id);
    this.#waiting.delete(id);
  }

  /** One after another, so that the place of one is taken before the next is given up. */
  #mustPassOn(sinceMs: number, nowMs: number): boolean {
    const lastMs = Math.max(sinceMs, this.#passedOnAtMs - HOLD_MS + HOLD_MS / this.#most);
    return this.#waiting.size > 0 && nowMs - lastMs >= HOLD_MS;
  }
}

/** The place of one operation. */
export class ActingPlace {
  readonly #places: ActingPlaces;
  readonly #id: string;
  #isAsked = false;

  constructor(places: ActingPlaces, id: string) {
    this.#places = places;
    this.#id = id;
  }

  /** True if the operation may act now. */
  ask(): boolean {
    this.#isAsked = true;
    return this.#places.ask(this.#id);
  }

  /** Runs a turn. One that does not ask for the place gives it back: it only follows outcomes, or waits. */
  async during<Value>(turn: () => Promise<Value>): Promise<Value> {
    this.#isAsked = false;
    try {
      return await turn();
    } finally {
      if (!this.#isAsked) this.leave();
    }
  }

  leave(): void {
    this.#places.leave(this.#id);
  }
}
