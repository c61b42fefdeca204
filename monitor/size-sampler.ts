import type { Records } from "#db/records/records.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import type { OutboxHandle, Runtime } from "#services/runtime.ts";
import { EachOutbox } from "./each-outbox.ts";
import { logTrouble } from "./log.ts";

/** Outboxes of one store. Readings of MySQL's list of transactions keep each other from a fresh one. */
const AT_ONCE = 1;

/** Records hourly how much space each outbox takes, so that its growth is known. */
export class SizeSampler {
  readonly #runtime: Runtime;
  readonly #records: Records;
  readonly #each: EachOutbox;

  constructor(options: { runtime: Runtime; records: Records; signal: AbortSignal }) {
    this.#runtime = options.runtime;
    this.#records = options.records;
    this.#each = new EachOutbox({
      work: (outbox) => this.sample(outbox),
      onError: (outbox, error) => logTrouble(`size sampler of ${outbox}`, error),
      atOnce: AT_ONCE,
      largestShare: 1 / 4,
      signal: options.signal,
    });
  }

  async runOnce(): Promise<void> {
    const { outboxes } = await this.#runtime.tables();
    this.#each.start(outboxes);
  }

  settle(): Promise<void> {
    return this.#each.settle();
  }

  async sample(outbox: OutboxHandle): Promise<void> {
    const { size } = await outboxOf(outbox).storage.read();
    if (size.totalBytes !== null) await this.#records.writeSize(outbox.name, size.totalBytes);
  }
}
