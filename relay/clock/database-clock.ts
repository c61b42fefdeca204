/** The two clocks drift apart: an anchor becomes less precise by at most this share of the time since it was read. */
const DRIFT = 0.001;
/** If two anchors differ by more than this and their errors, the database's clock was set, or it is another server. */
const STEP_MS = 5;
/** Drift stays far below this: the database's clock was set, or another server answers. */
const SET_MS = 1000;

interface Anchor {
  /** A time of this process's monotonic clock, and the database's time at that moment. */
  monoMs: number;
  databaseMs: number;
  /** Half the round trip: the database read its clock somewhere within it. */
  errorMs: number;
}

/**
 * The database's time, derived from this process's monotonic clock. A relay writes only such instants: they are
 * compared with the database's own, and the host's wall clock may be wrong. Each heartbeat adds a reading; the one with
 * the shortest round trip counts.
 */
export class DatabaseClock {
  #anchor: Anchor | null = null;
  #offsetMs: number | null = null;
  #timesSet = 0;

  /** How often the database's clock was set so far: an instant of before is not comparable with those of now. */
  get timesSet(): number {
    return this.#timesSet;
  }
  /** False until the database has first answered; until then `at` uses the host's wall clock. */
  get anchored(): boolean {
    return this.#anchor !== null;
  }
  /** The host's wall clock minus the database's, ms, as far as it is certain; null until known. */
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
    if (this.#anchor && contradiction(found, this.#anchor) > SET_MS) this.#timesSet += 1;
    this.#anchor = this.#anchor && !this.#isBetter(found, this.#anchor) ? this.#anchor : found;
    const offsetMs = Date.now() - this.at(performance.now()).getTime();
    this.#offsetMs = Math.sign(offsetMs) * Math.max(0, Math.abs(offsetMs) - Math.ceil(this.#anchor.errorMs));
  }

  /** The database's time at a reading of `performance.now()`. */
  at(monoMs: number): Date {
    if (!this.#anchor) return new Date(Date.now() + monoMs - performance.now());
    return new Date(this.#anchor.databaseMs + monoMs - this.#anchor.monoMs);
  }

  #isBetter(found: Anchor, known: Anchor): boolean {
    const elapsedMs = found.monoMs - known.monoMs;
    return found.errorMs <= known.errorMs + elapsedMs * DRIFT || contradiction(found, known) > STEP_MS;
  }
}

/** By how much two anchors differ beyond their errors, ms. */
function contradiction(found: Anchor, known: Anchor): number {
  const differenceMs = found.databaseMs - known.databaseMs - (found.monoMs - known.monoMs);
  return Math.abs(differenceMs) - found.errorMs - known.errorMs;
}

/**
 * A moment of this process. Its instant is fixed when it is first converted to the database's clock, and again after
 * that was set: otherwise an outage that lasts would begin later than now, once the clock was set back.
 */
export class Moment {
  readonly #monoMs: number;
  #at: Date | undefined;
  #timesSet = 0;

  constructor(monoMs = performance.now()) {
    this.#monoMs = monoMs;
  }

  get monoMs(): number {
    return this.#monoMs;
  }

  at(clock: DatabaseClock): Date {
    if (this.#at && this.#timesSet === clock.timesSet) return this.#at;
    const at = clock.at(this.#monoMs);
    if (clock.anchored) {
      this.#at = at;
      this.#timesSet = clock.timesSet;
    }
    return at;
  }
}
