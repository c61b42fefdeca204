import { RECONNECTS_WITHIN_SECONDS } from "#domain/diagnosis/phrases.ts";

/** The last time without a usable answer: how long it was, and how long ago it ended. */
export interface Outage {
  seconds: number;
  endedSeconds: number;
}

/**
 * The present or last outage. One that returns before relays can report is the same one, as after a failover or while a
 * server restarts twice: no heartbeat was due in between.
 */
export class OutageMemory {
  #sinceMs: number | null = null;
  #last: { sinceMs: number; endedAtMs: number } | null = null;

  begin(): void {
    if (this.#sinceMs !== null) return;
    const nowMs = performance.now();
    const last = this.#last;
    const returns = last !== null && nowMs - last.endedAtMs < RECONNECTS_WITHIN_SECONDS * 1000;
    this.#sinceMs = returns ? last.sinceMs : nowMs;
  }

  end(): void {
    if (this.#sinceMs !== null) this.#last = { sinceMs: this.#sinceMs, endedAtMs: performance.now() };
    this.#sinceMs = null;
  }

  /** Null if there was none. */
  get outage(): Outage | null {
    const nowMs = performance.now();
    if (this.#sinceMs !== null) return { seconds: (nowMs - this.#sinceMs) / 1000, endedSeconds: 0 };
    const last = this.#last;
    return last && { seconds: (last.endedAtMs - last.sinceMs) / 1000, endedSeconds: (nowMs - last.endedAtMs) / 1000 };
  }
}
