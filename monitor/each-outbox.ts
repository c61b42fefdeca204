import type { OutboxHandle } from "#services/runtime.ts";
import { Semaphore } from "#services/stores/semaphore.ts";

const LONGEST_REST_MS = 60_000;

/** An outbox, or what is known of one that is missing. */
interface Placed {
  name: string;
  store: { name: string };
}

/**
 * Runs `work` for every outbox, so that a slow or unreachable store delays no other store's. An outbox is skipped while
 * its last turn waits or runs, or if that turn was long and recent. Those that wait begin in order of arrival, so each
 * gets its turn.
 */
export class EachOutbox<Outbox extends Placed = OutboxHandle> {
  readonly #busy = new Map<string, Promise<void>>();
  readonly #restUntil = new Map<string, number>();
  readonly #places = new Map<string, Semaphore>();
  readonly #work: (outbox: Outbox) => Promise<void>;
  readonly #atOnce: number;
  readonly #largestShare: number;
  readonly #signal: AbortSignal;
  readonly #onError: (outbox: string, error: unknown) => void;

  /**
   * `atOnce`: most outboxes of one store in a turn at once. `largestShare`: most of the time that one outbox may take,
   * 0 to 1. After an expensive turn the next starts later. After the signal's abort no turn begins.
   */
  constructor(options: {
    work: (outbox: Outbox) => Promise<void>;
    onError: (outbox: string, error: unknown) => void;
    atOnce: number;
    largestShare: number;
    signal: AbortSignal;
  }) {
    this.#work = options.work;
    this.#onError = options.onError;
    this.#atOnce = options.atOnce;
    this.#largestShare = options.largestShare;
    this.#signal = options.signal;
  }

  /** Asks for a turn for each outbox that has none, and returns immediately. */
  start(outboxes: readonly Outbox[]): void {
    for (const outbox of outboxes) {
      const { name, store } = outbox;
      if (this.#busy.has(name) || performance.now() < (this.#restUntil.get(name) ?? 0)) continue;
      const turn = this.#placesOf(store.name)
        .run(() => this.#turn(outbox))
        .finally(() => this.#busy.delete(name));
      this.#busy.set(name, turn);
    }
  }

  /** Waits until no turn waits or runs. */
  async settle(): Promise<void> {
    await Promise.all(this.#busy.values());
  }

  async #turn(outbox: Outbox): Promise<void> {
    if (this.#signal.aborted) return;
    const startedAt = performance.now();
    await this.#work(outbox).catch((error: unknown) => this.#onError(outbox.name, error));
    const tookMs = performance.now() - startedAt;
    this.#restUntil.set(outbox.name, startedAt + Math.min(tookMs / this.#largestShare, LONGEST_REST_MS));
  }

  #placesOf(store: string): Semaphore {
    const places = this.#places.get(store) ?? new Semaphore(this.#atOnce);
    this.#places.set(store, places);
    return places;
  }
}
