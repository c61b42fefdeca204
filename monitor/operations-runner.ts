import { BULK_LEASE_MS, BulkRun } from "#services/operations/bulk/bulk-run.ts";
import type { OpenReplaySink } from "#services/operations/bulk/replay-sink.ts";
import { storesWithRecords } from "#services/operations/find-operation.ts";
import type { Runtime, StoreHandle } from "#services/runtime.ts";
import { logTrouble } from "./log.ts";

/** Operations of one store that run at the same time. */
const MOST_AT_ONCE = 4;

/** Works on the bulk operations of every store: takes those without a runner, and runs each until it ends or rests. */
export class OperationsRunner {
  readonly #runtime: Runtime;
  readonly #runner: string;
  readonly #signal: AbortSignal;
  readonly #openReplaySink: OpenReplaySink | undefined;
  readonly #running = new Map<StoreHandle, Set<Promise<void>>>();

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

  /** Takes the waiting operations, and returns without waiting for their end. */
  async runOnce(): Promise<void> {
    const stores = await storesWithRecords(this.#runtime);
    await Promise.all(
      stores.map((store) =>
        this.#takeFrom(store).catch((error: unknown) => logTrouble(`operations of store ${store.name}`, error)),
      ),
    );
  }

  /** Waits until every operation of this runner has ended its turn; after the signal's abort. */
  async settle(): Promise<void> {
    await Promise.all([...this.#running.values()].flatMap((runs) => [...runs]));
  }

  async #takeFrom(store: StoreHandle): Promise<void> {
    const { bulk } = store.records;
    const running = this.#running.get(store) ?? new Set();
    this.#running.set(store, running);
    while (bulk && running.size < MOST_AT_ONCE && !this.#signal.aborted) {
      const row = await store.line.ask(() => bulk.take(this.#runner, BULK_LEASE_MS));
      if (!row) return;
      const run: Promise<void> = new BulkRun(this.#runtime, bulk, row, this.#openReplaySink)
        .run(this.#signal)
        .catch((error: unknown) => logTrouble(`operation ${row.id}`, error))
        .finally(() => running.delete(run));
      running.add(run);
    }
  }
}
