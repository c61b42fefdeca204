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

/** Deletes expired rows of the store side: old attempts, restores, items of operations and long-silent relay instances. */
export class Retention {
  readonly #runtime: Runtime;

  constructor(options: { runtime: Runtime }) {
    this.#runtime = options.runtime;
  }

  async runOnce(): Promise<void> {
    const { outboxes } = await this.#runtime.tables();
    const stores = new Map(outboxes.filter(({ storeSide }) => storeSide).map((outbox) => [outbox.store, outbox]));
    for (const [store, outbox] of stores) {
      await this.#runStore(store, outbox).catch((error: unknown) => logTrouble(`retention of ${store.name}`, error));
    }
  }

  async #runStore(store: StoreHandle, outbox: OutboxHandle): Promise<void> {
    const { retention } = outboxOf(outbox);
    const doubt = retention && whyClockIsDoubted((await retention.pressure()).databaseTimeMs);
    if (doubt) throw new Error(doubt);
    await sweep(store, keepItemsDays(this.#runtime));
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
