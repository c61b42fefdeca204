import { keepItemsDays } from "#services/operations/bulk/kept-items.ts";
import type { Runtime, StoreHandle } from "#services/runtime.ts";
import { logTrouble } from "./log.ts";

const ATTEMPTS_KEEP_DAYS = 30;
const RESTORED_KEEP_DAYS = 30;
const RELAYS_SILENT_HOURS = 24;
const BATCH = 1_000;
const MOST_BATCHES = 50;

/** Deletes expired rows of the store side: old attempts, restores and items of operations, and relay instances long gone. */
export class Retention {
  readonly #runtime: Runtime;

  constructor(options: { runtime: Runtime }) {
    this.#runtime = options.runtime;
  }

  async runOnce(): Promise<void> {
    const { outboxes } = await this.#runtime.tables();
    const stores = new Set(outboxes.filter((outbox) => outbox.storeSide).map((outbox) => outbox.store));
    for (const store of stores) {
      await sweep(store, keepItemsDays(this.#runtime)).catch((error: unknown) =>
        logTrouble(`retention of ${store.name}`, error),
      );
    }
  }
}

async function sweep({ records }: StoreHandle, itemsKeepDays: number): Promise<void> {
  await records.retireRelays(RELAYS_SILENT_HOURS);
  await inBatches(() => records.deleteOldAttempts(ATTEMPTS_KEEP_DAYS, BATCH));
  await inBatches(() => records.deleteOldRestored(RESTORED_KEEP_DAYS, BATCH));
  const { bulk } = records;
  for (let batch = 0; bulk?.deleteOldItems && batch < MOST_BATCHES; batch += 1)
    if ((await bulk.deleteOldItems(itemsKeepDays, BATCH)) === 0) return;
}

async function inBatches(deleteSome: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) if ((await deleteSome()) < BATCH) return;
}
