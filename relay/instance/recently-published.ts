/** Most ids remembered, and for how long: enough to distinguish our rows from another publisher's. */
const MOST = 50_000;
const LONGEST_MS = 20_000;

interface Batch {
  ids: readonly string[];
  atMs: number;
}

/**
 * Ids that this process has marked as published in the last seconds. Kept in the batches in which they came, to save
 * work.
 */
export class RecentlyPublished {
  readonly #sinceMs: number;
  #batches: Batch[] = [];
  #count = 0;
  #forgottenUntilMs: number;

  constructor(nowMs = performance.now()) {
    this.#sinceMs = nowMs;
    this.#forgottenUntilMs = nowMs;
  }

  note(ids: readonly string[], nowMs = performance.now()): void {
    if (ids.length === 0) return;
    this.#batches.push({ ids, atMs: nowMs });
    this.#count += ids.length;
    while (this.#count > MOST || nowMs - (this.#batches[0]?.atMs ?? nowMs) > LONGEST_MS) {
      const [gone] = this.#batches.splice(0, 1);
      this.#count -= gone?.ids.length ?? 0;
      this.#forgottenUntilMs = gone?.atMs ?? nowMs;
    }
  }

  /** How far back from now nothing is forgotten, ms. */
  reachesBackMs(nowMs = performance.now()): number {
    return nowMs - Math.max(this.#sinceMs, this.#forgottenUntilMs);
  }

  all(): Set<string> {
    return new Set(this.#batches.flatMap(({ ids }) => ids));
  }
}
