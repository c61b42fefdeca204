/** A `Date` header has whole seconds. */
const HEADER_STEP_MS = 1_000;

const CLOCKS = { wall: () => Date.now(), mono: () => performance.now() };

/**
 * The server's clock as estimated from the `Date` header of its answers. Between two answers it is told by this
 * machine's monotonic clock, so a wall clock that is set in between changes no age and no lease.
 */
export class ServerClock {
  readonly #clocks: typeof CLOCKS;
  /** The server's time minus the monotonic clock's, ms. */
  #aheadOfMonoMs: number | null = null;
  #offsetMs = 0;
  #isKnown = false;

  constructor(clocks = CLOCKS) {
    this.#clocks = clocks;
  }

  /** False before the first answer. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** This machine's wall clock minus the server's as of the last answer, ms; 0 where that answer may show the same. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Whole ms since 1970. */
  nowMs(): number {
    const { wall, mono } = this.#clocks;
    return this.#aheadOfMonoMs === null ? wall() : Math.round(mono() + this.#aheadOfMonoMs);
  }

  /**
   * Call when an answer arrives. The wall clock is believed as far as the header's second and the time of travel allow,
   * since it is more precise; else the estimate so far; else the middle of what they allow. `askedAtMs`: a reading of
   * the monotonic clock.
   */
  note(header: string | undefined, askedAtMs: number): void {
    this.#isKnown = true;
    const serverMs = Date.parse(header ?? "");
    if (Number.isNaN(serverMs)) return;
    const monoMs = this.#clocks.mono();
    const wallAheadMs = this.#clocks.wall() - monoMs;
    const [least, most] = [serverMs - monoMs, serverMs + HEADER_STEP_MS - askedAtMs];
    const isPossible = (aheadMs: number | null): aheadMs is number =>
      aheadMs !== null && aheadMs >= least && aheadMs <= most;
    const known = [wallAheadMs, this.#aheadOfMonoMs].find(isPossible);
    this.#aheadOfMonoMs = known ?? (least + most) / 2;
    this.#offsetMs = Math.round(wallAheadMs - this.#aheadOfMonoMs);
  }
}
