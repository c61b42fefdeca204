import { BULK_LEASE_MS, BulkRun } from "#services/operations/bulk/bulk-run.ts";
import { MOST_TAKEN } from "#services/operations/bulk/most-taken.ts";
import { ActingPlaces } from "#services/operations/bulk/pace/acting-places.ts";
import type { OpenReplaySink } from "#services/operations/bulk/replay/replay-sink.ts";
import type { Runtime, StoreHandle } from "#services/runtime.ts";
import { operatedStores } from "#services/stores/operated-stores.ts";
import { logTrouble } from "./log.ts";

/** The operations of one store that this runner has taken. */
class StoreRuns {
  readonly places = new ActingPlaces();
  readonly running = new Set<Promise<void>>();
  /** Set while it looks for operations to take. */
  taking: Promise<void> | null = null;
}

/**
 * Works on the bulk operations of every store: takes those without a runner, and runs each until it ends or rests. A
 * few of a store act on messages at the same time; those that follow retried messages do not count.
 */
export class OperationsRunner {
  readonly #runtime: Runtime;
  readonly #runner: string;
  readonly #signal: AbortSignal;
  readonly #openReplaySink: OpenReplaySink | undefined;
  readonly #stores = new Map<StoreHandle, StoreRuns>();

  /** `runner` names this process, as the page of an operation shows it. */
  constructor(options: {
    runtime: Runtime;
    runner: string;
    signal: AbortSignal;
    openReplaySink?: OpenReplaySink | undefined;
  }) {
    this.#openReplaySink = options.openReplaySink;
    this.#runtime = options.runtime;
    this.#runner = options.runner;
    this.#signal = options.signal;
  }

  /** Begins to take the waiting operations of each store, and returns immediately. */
  async runOnce(): Promise<void> {
    for (const store of (await operatedStores(this.#runtime)).stores) {
      const runs = this.#stores.get(store) ?? new StoreRuns();
      this.#stores.set(store, runs);
      runs.taking ??= this.#takeFrom(store, runs)
        .catch((error: unknown) => logTrouble(`operations of store ${store.name}`, error))
        .finally(() => {
          runs.taking = null;
        });
    }
  }

  /** Waits until every operation of this runner has ended its turn; after the signal's abort. */
  async settle(): Promise<void> {
    await Promise.all([...this.#stores.values()].map(({ taking }) => taking));
    await Promise.all([...this.#stores.values()].flatMap(({ running }) => [...running]));
  }

  async #takeFrom(store: StoreHandle, { places, running }: StoreRuns): Promise<void> {
    const { bulk } = store.records;
    while (bulk && running.size < MOST_TAKEN && !this.#signal.aborted) {
      const row = await store.guard.ask(() => bulk.take(this.#runner, BULK_LEASE_MS));
      if (!row) return;
      const { id } = row;
      const operation = new BulkRun({
        ...{ runtime: this.#runtime, bulk, row, places },
        openReplaySink: this.#openReplaySink,
      });
      const run: Promise<void> = operation
        .run(this.#signal)
        .catch((error: unknown) => logTrouble(`operation ${id}`, error))
        .finally(() => running.delete(run));
      running.add(run);
    }
  }
}
