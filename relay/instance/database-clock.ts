/** Two clocks drift apart: an anchor this old is replaced by the next round trip, however long that took. */
const OLD_MS = 10_000;
/** Anchors that contradict each other by more: the database's clock was set, or it is another server. */
const STEP_MS = 5;

interface Anchor {
  /** A reading of this process's monotonic clock, and the database's time at it. */
  monoMs: number;
  databaseMs: number;
  /** Half the round trip: the database answered somewhere within. */
  errorMs: number;
}

/**
 * The database's time, told by this process's monotonic clock: every instant that a relay writes is read beside rows of
 * the database, and the host's wall clock may be wrong. Refreshed by each heartbeat; the shortest round trip counts.
 */
export class DatabaseClock {
  #anchor: Anchor | null = null;
  #offsetMs: number | null = null;

  /** False until the database has answered once: instants are of the host's wall clock then. */
  get anchored(): boolean {
    return this.#anchor !== null;
  }
  /** The host's wall clock minus the database's; null until it is known. */
  get offsetMs(): number | null {
    return this.#offsetMs;
  }

  /** `askedAtMs` and `answeredAtMs` are readings of `performance.now()`. */
  note(answer: { askedAtMs: number; answeredAtMs: number; databaseTimeMs: number }): void {
    const { askedAtMs, answeredAtMs, databaseTimeMs } = answer;
    if (!Number.isFinite(databaseTimeMs)) return;
    const found = {
      monoMs: (askedAtMs + answeredAtMs) / 2,
      databaseMs: databaseTimeMs,
      errorMs: (answeredAtMs - askedAtMs) / 2,
    };
    if (!this.#anchor || this.#isBetter(found, this.#anchor)) this.#anchor = found;
    this.#offsetMs = Date.now() - this.at(performance.now()).getTime();
  }

  /** The database's time at a reading of `performance.now()`. */
  at(monoMs: number): Date {
    if (!this.#anchor) return new Date(Date.now() + monoMs - performance.now());
    return new Date(this.#anchor.databaseMs + monoMs - this.#anchor.monoMs);
  }

  #isBetter(found: Anchor, known: Anchor): boolean {
    const elapsedMs = found.monoMs - known.monoMs;
    if (found.errorMs <= known.errorMs || elapsedMs > OLD_MS) return true;
    const contradictionMs = Math.abs(found.databaseMs - known.databaseMs - elapsedMs);
    return contradictionMs > found.errorMs + known.errorMs + STEP_MS;
  }
}

/** A moment of this process. Its instant, once told on the database's clock, stays the same text. */
export class Moment {
  readonly #monoMs: number;
  #at: Date | undefined;

  constructor(monoMs = performance.now()) {
    this.#monoMs = monoMs;
  }

  get monoMs(): number {
    return this.#monoMs;
  }

  at(clock: DatabaseClock): Date {
    if (this.#at) return this.#at;
    const at = clock.at(this.#monoMs);
    if (clock.anchored) this.#at = at;
    return at;
  }
}
