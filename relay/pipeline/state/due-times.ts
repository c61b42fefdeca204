interface Entry {
  id: string;
  atMs: number;
}

/** The heap is tidied when it is twice as long as after the last time, and longer than this. */
const FEW = 1000;
/** If more entries than this were skipped, the next search waits for LOOK_AGAIN_MS. */
const MOST_SKIPPED = 1000;
const LOOK_AGAIN_MS = 250;

/**
 * Due times of many ids, as a heap: finding the next one costs only the outdated entries before it. `timeOf` gives the
 * valid time of an id; an entry with another time is outdated.
 */
export class DueTimes {
  readonly #timeOf: (id: string) => number | undefined;
  #heap: Entry[] = [];
  #tidyAtLength = FEW;
  #lookAtMs = 0;

  constructor(timeOf: (id: string) => number | undefined) {
    this.#timeOf = timeOf;
  }

  /** Call after `timeOf` returns this time. */
  add(id: string, atMs: number): void {
    this.#heap.push({ id, atMs });
    this.#rise(this.#heap.length - 1);
    if (this.#heap.length > this.#tidyAtLength) this.#tidy();
  }

  /** The earliest time of all that are not skipped, or an earlier one after `nowMs`; Infinity if there is none. */
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

  /** Removes outdated entries. */
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
