/** One answer for everyone who asks within `freshMs`: whoever comes while it is being made waits for the same one. */
export class SingleFlight<Value> {
  readonly #entries = new Map<string, { value: Promise<Value>; until: number }>();
  readonly #freshMs: number;

  constructor(freshMs: number) {
    this.#freshMs = freshMs;
  }

  /** A failure is shared with those who wait for it, and then forgotten. */
  run(key: string, make: () => Promise<Value>): Promise<Value> {
    const entry = this.#entries.get(key);
    if (entry && performance.now() < entry.until) return entry.value;
    const value = make();
    const made = { value, until: Number.POSITIVE_INFINITY };
    this.#entries.set(key, made);
    value.then(
      () => {
        made.until = performance.now() + this.#freshMs;
      },
      () => {
        if (this.#entries.get(key) === made) this.#entries.delete(key);
      },
    );
    return value;
  }
}
