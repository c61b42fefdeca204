/** Rows of the first batch of a turn, of the largest and of the smallest. */
const FIRST_ROWS = 1_000;
const MOST_ROWS = 5_000;
const LEAST_ROWS = 50;
/** A batch quicker than this may grow; one slower than that is halved, as after a timeout. */
const QUICK_MS = 150;
const SLOW_MS = 1_000;
const LEAST_REST_MS = 50;
const LONGEST_REST_MS = 5_000;
/**
 * A small statement that takes so many times what it took at the quickest, and at least so long, shows a busy database.
 */
const BUSY_FACTOR = 8;
const BUSY_MS = 100;
/** After so many busy answers in a row the turn ends. */
const BUSY_ENDS = 5;

/** How large the next batch is, and how long to wait before it, judged by what the last ones took. */
export class RetentionPace {
  #rows = FIRST_ROWS;
  #restMs = LEAST_REST_MS;
  #quickestProbeMs = Number.POSITIVE_INFINITY;
  #busy = 0;

  get rows(): number {
    return this.#rows;
  }

  get restMs(): number {
    return this.#restMs;
  }

  /** The database has been busy for so long that it is better to come back later. */
  get isBusy(): boolean {
    return this.#busy >= BUSY_ENDS;
  }

  /** Works at most half of the time. */
  batchTook(ms: number): void {
    if (ms > SLOW_MS) this.#halve();
    else if (ms < QUICK_MS) this.#rows = Math.min(MOST_ROWS, Math.ceil(this.#rows * 1.25));
    this.#restMs = Math.min(LONGEST_REST_MS, Math.max(LEAST_REST_MS, ms));
  }

  /** False when the smallest batch has timed out too. */
  batchTimedOut(): boolean {
    const smallest = this.#rows <= LEAST_ROWS;
    this.#halve();
    this.#restMs = LONGEST_REST_MS / 5;
    return !smallest;
  }

  /** True if there is room for a batch now. */
  probeTook(ms: number): boolean {
    this.#quickestProbeMs = Math.min(this.#quickestProbeMs, ms);
    const busy = ms > BUSY_MS && ms > this.#quickestProbeMs * BUSY_FACTOR;
    this.#busy = busy ? this.#busy + 1 : 0;
    if (busy) this.#restMs = LONGEST_REST_MS / 5;
    return !busy;
  }

  #halve(): void {
    this.#rows = Math.max(LEAST_ROWS, Math.floor(this.#rows / 2));
  }
}
