interface Entry {
  id: string;
  atMs: number;
}

/** Times that no longer hold are kept until they are as many as those that do, and this many. */
const FEW = 1000;
/** When so many are due and skipped, another look is worth it only after a while. */
const MOST_SKIPPED = 1000;
const LOOK_AGAIN_MS = 250;

/**
 * When each of many is due, as a heap: to ask for the next one costs what is skipped before it. `timeOf` says the time
 * that holds for an id; what was added with another one has been replaced or taken away since.
 */
export class DueTimes {
  readonly #timeOf: (id: string) => number | undefined;
  #heap: Entry[] = [];
  #tidyAtLength = FEW;
  #lookAtMs = 0;

  constructor(timeOf: (id: string) => number | undefined) {
    this.#timeOf = timeOf;
  }

  /** To be called once `timeOf` says so. */
  add(id: string, atMs: number): void {
    this.#heap.push({ id, atMs });
    this.#rise(this.#heap.length - 1);
    if (this.#heap.length > this.#tidyAtLength) this.#tidy();
  }

  /** The earliest time of all that are not skipped; or one before it that lies after `nowMs`. Infinity without any. */
  next(nowMs: number, skips: (id: string) => boolean): number {
    if (nowMs < this.#lookAtMs) return this.#lookAtMs;
    let [least, looked] = [Number.POSITIVE_INFINITY, 0];
    const open = [0];
    while (open.length > 0) {
      const index = open.pop() ?? 0;
      const entry = this.#heap[index];
      if (!entry || entry.atMs >= least) continue;
      const holds = this.#timeOf(entry.id) === entry.atMs;
      if (holds && (entry.atMs > nowMs || !skips(entry.id))) {
        least = entry.atMs;
        continue;
      }
      looked += 1;
      open.push(2 * index + 2, 2 * index + 1);
    }
    if (looked > MOST_SKIPPED) this.#tidy();
    if (looked > MOST_SKIPPED && least > nowMs) this.#lookAtMs = nowMs + LOOK_AGAIN_MS;
    return least;
  }

  /** Leaves out what holds no more. */
  #tidy(): void {
    const kept = this.#heap.filter(({ id, atMs }) => this.#timeOf(id) === atMs);
    this.#heap = kept.sort((left, right) => left.atMs - right.atMs);
    this.#tidyAtLength = Math.max(FEW, kept.length * 2);
  }

  #rise(from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const [own, above] = [this.#heap[index], this.#heap[parent]];
      if (!own || !above || above.atMs <= own.atMs) return;
      this.#heap[index] = above;
      this.#heap[parent] = own;
      index = parent;
    }
  }
}
