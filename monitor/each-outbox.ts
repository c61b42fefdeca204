import type { OutboxHandle } from "#services/runtime.ts";

const LONGEST_REST_MS = 60_000;

/**
 * Runs `work` for every outbox concurrently, so that a slow or unreachable store delays no other outbox. An outbox is
 * skipped while its last turn still runs, or if that turn was long and recent.
 */
export class EachOutbox {
  readonly #busy = new Map<string, Promise<void>>();
  readonly #restUntil = new Map<string, number>();
  readonly #work: (outbox: OutboxHandle) => Promise<void>;
  readonly #largestShare: number;
  readonly #onError: (outbox: string, error: unknown) => void;

  /** `largestShare`: most of the time that one outbox may take, 0 to 1. After an expensive turn the next starts later. */
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
