import type { OutboxHandle } from "#services/runtime.ts";

const LONGEST_REST_MS = 60_000;

/**
 * Does the same for every outbox concurrently. An outbox whose store is slow or down delays no other; it is skipped
 * while its last turn still runs, or if that turn was long and recent.
 */
export class EachOutbox {
  readonly #busy = new Map<string, Promise<void>>();
  readonly #restUntil = new Map<string, number>();
  readonly #work: (outbox: OutboxHandle) => Promise<void>;
  readonly #largestShare: number;
  readonly #onError: (outbox: string, error: unknown) => void;

  /** Largest share of time spent on one outbox: an expensive turn runs less often. */
  constructor(options: {
    work: (outbox: OutboxHandle) => Promise<void>;
    onError: (outbox: string, error: unknown) => void;
    largestShare: number;
  }) {
    this.#work = options.work;
    this.#onError = options.onError;
    this.#largestShare = options.largestShare;
  }

  /** Starts a turn for each outbox that is not in one, and returns immediately. */
  start(outboxes: readonly OutboxHandle[]): void {
    for (const outbox of outboxes) {
      const { name } = outbox;
      const startedAt = performance.now();
      if (this.#busy.has(name) || startedAt < (this.#restUntil.get(name) ?? 0)) continue;
      const turn = this.#work(outbox)
        .catch((error: unknown) => this.#onError(name, error))
        .finally(() => {
          const tookMs = performance.now() - startedAt;
          this.#restUntil.set(name, startedAt + Math.min(tookMs / this.#largestShare, LONGEST_REST_MS));
          this.#busy.delete(name);
        });
      this.#busy.set(name, turn);
    }
  }

  /** Waits until every started turn has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#busy.values());
  }
}
