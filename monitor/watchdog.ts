import type { Records } from "#db/records/records.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { recordFindings } from "#services/findings/record-findings.ts";
import { examineOutbox } from "#services/outboxes/take-snapshot.ts";
import type { OutboxHandle, Runtime } from "#services/runtime.ts";
import { EachOutbox } from "./each-outbox.ts";
import { logTrouble } from "./log.ts";

/** Runs the rules on each outbox and stores the findings. */
export class Watchdog {
  readonly #runtime: Runtime;
  readonly #records: Records;
  readonly #each: EachOutbox;

  constructor(options: { runtime: Runtime; records: Records }) {
    this.#runtime = options.runtime;
    this.#records = options.records;
    this.#each = new EachOutbox({
      work: (outbox) => this.look(outbox),
      onError: (outbox, error) => logTrouble(`watchdog of ${outbox}`, error),
      largestShare: 1 / 8,
    });
  }

  async runOnce(): Promise<void> {
    const { outboxes } = await this.#runtime.tables();
    this.#each.start(outboxes);
  }

  settle(): Promise<void> {
    return this.#each.settle();
  }

  async look(outbox: OutboxHandle): Promise<void> {
    const { causes, unread, errors } = await examineOutbox({ runtime: this.#runtime, outbox: outbox.name });
    const troubles = errors.filter(({ error }) => !(error instanceof ScanRefused));
    for (const { fact, error } of troubles) logTrouble(`fact ${fact} of ${outbox.name}`, error);
    await recordFindings({ records: this.#records, outbox: outbox.name, causes, unread });
  }
}
