import { Semaphore } from "../stores/semaphore.ts";

/** Runs at most `concurrency` tasks at once; at most `maxWaiting` wait. */
export class BoundedSemaphore {
  readonly #turns: Semaphore;
  readonly #maxWaiting: number;

  constructor({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) {
    this.#turns = new Semaphore(concurrency);
    this.#maxWaiting = maxWaiting;
  }

  /** Undefined if too many tasks wait already. */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { isFull, waiting } = this.#turns;
    return isFull && waiting >= this.#maxWaiting ? undefined : this.#turns.run(work);
  }
}
