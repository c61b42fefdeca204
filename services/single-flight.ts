/**
 * Shares one value between all callers within `freshMs`; callers during its computation wait for it. `freshMs` may
 * depend on the value.
 */
export class SingleFlight<Value> {
  readonly #entries = new Map<string, { value: Promise<Value>; until: number }>();
  readonly #freshMs: (value: Value) => number;

  constructor(freshMs: number | ((value: Value) => number)) {
    this.#freshMs = typeof freshMs === "number" ? () => freshMs : freshMs;
  }

  /** A failure is shared with the waiting callers and then forgotten. */
  run(key: string, make: () => Promise<Value>): Promise<Value> {
    const entry = this.#entries.get(key);
    if (entry && performance.now() < entry.until) return entry.value;
    this.#dropOld();
    const value = make();
    const made = { value, until: Number.POSITIVE_INFINITY };
    this.#entries.set(key, made);
    value.then(
      (answer) => {
        made.until = performance.now() + this.#freshMs(answer);
      },
      () => {
        if (this.#entries.get(key) === made) this.#entries.delete(key);
      },
    );
    return value;
  }

  #dropOld(): void {
    const now = performance.now();
    for (const [key, { until }] of this.#entries) if (until <= now) this.#entries.delete(key);
  }
}
