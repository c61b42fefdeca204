export interface CallFigures {
  calls: number;
  longestCallMs: number;
  /** Calls that took longer than allowed, those without an outcome included. */
  late: number;
  /** Calls still without an outcome at the end. */
  open: number;
}

/** Measures how long calls take, on a clock that never jumps. */
export class CallWatch {
  readonly #limitMs: number;
  readonly #startedMs = new Set<{ atMs: number }>();
  #calls = 0;
  #longestMs = 0;
  #late = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Returns the function that reports the call's outcome. */
  begin(nowMs = performance.now()): (nowMs?: number) => void {
    const call = { atMs: nowMs };
    this.#calls += 1;
    this.#startedMs.add(call);
    return (endMs = performance.now()) => {
      this.#startedMs.delete(call);
      this.#note(endMs - call.atMs);
    };
  }

  figures(nowMs = performance.now()): CallFigures {
    const open = [...this.#startedMs].map(({ atMs }) => nowMs - atMs);
    return {
      calls: this.#calls,
      longestCallMs: Math.round(Math.max(this.#longestMs, ...open)),
      late: this.#late + open.filter((ms) => ms > this.#limitMs).length,
      open: open.length,
    };
  }

  #note(ms: number): void {
    this.#longestMs = Math.max(this.#longestMs, ms);
    if (ms > this.#limitMs) this.#late += 1;
  }
}
