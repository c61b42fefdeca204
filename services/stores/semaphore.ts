/** Runs at most `most` tasks at once; the others wait in order of arrival. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  /** True if a further task has to wait. */
  get isFull(): boolean {
    return this.#free === 0;
  }

  /** Number of tasks that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      return await work();
    } finally {
      // A finished task hands its turn to the next waiter, so that a newcomer cannot take it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
