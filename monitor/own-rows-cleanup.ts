import { keepItemsDays } from "#services/operations/bulk/kept-items.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import { whyClockIsDoubted } from "#services/retention/doubted-clock.ts";
import type { OutboxHandle, Runtime, StoreHandle } from "#services/runtime.ts";
import { logTrouble } from "./log.ts";

const ATTEMPTS_KEEP_DAYS = 30;
const RESTORED_KEEP_DAYS = 30;
const RELAYS_SILENT_HOURS = 24;
const BATCH = 1_000;
const MOST_BATCHES = 50;

/**
 * Deletes expired rows of the store side: old attempts, restores, items of operations and long-silent relay instances.
 */
export class OwnRowsCleanup {
  readonly #runtime: Runtime;
  readonly #signal: AbortSignal;

  constructor(options: { runtime: Runtime; signal: AbortSignal }) {
    this.#runtime = options.runtime;
    this.#signal = options.signal;
  }

  async runOnce(): Promise<void> {
    const { outboxes } = await this.#runtime.tables();
    const stores = new Map(outboxes.filter(({ storeSide }) => storeSide).map((outbox) => [outbox.store, outbox]));
    await Promise.all(
      [...stores].map(([store, outbox]) =>
        this.#runStore(store, outbox).catch((error: unknown) =>
          logTrouble(`clean-up of the console's own rows in ${store.name}`, error),
        ),
      ),
    );
  }

  async #runStore(store: StoreHandle, outbox: OutboxHandle): Promise<void> {
    const { retention } = outboxOf(outbox);
    const doubt = retention && whyClockIsDoubted((await retention.pressure()).databaseTimeMs);
    if (doubt) throw new Error(doubt);
    const { records } = store;
    const { deleteOldItems } = records.bulk ?? {};
    const itemsDays = keepItemsDays(this.#runtime);
    if (this.#signal.aborted) return;
    await records.retireRelays(RELAYS_SILENT_HOURS);
    await this.#inBatches(BATCH, () => records.deleteOldAttempts(ATTEMPTS_KEEP_DAYS, BATCH));
    await this.#inBatches(BATCH, () => records.deleteOldRestored(RESTORED_KEEP_DAYS, BATCH));
    // A batch of items ends with an operation, and may be smaller than asked for.
    if (deleteOldItems) await this.#inBatches(1, () => deleteOldItems(itemsDays, BATCH));
  }

  /** Until a batch has fewer rows than `least`. */
  async #inBatches(least: number, deleteSome: () => Promise<number>): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES && !this.#signal.aborted; batch += 1)
      if ((await deleteSome()) < least) return;
  }
}
