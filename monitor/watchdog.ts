import type { Records } from "#db/records/records.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError, isAppError, toAppError } from "#domain/errors.ts";
import { recordFindings } from "#services/findings/record-findings.ts";
import { recordUnreadable } from "#services/findings/record-unreadable.ts";
import { noteOutage } from "#services/outboxes/outbox-outages.ts";
import { examineOutbox } from "#services/outboxes/take-snapshot.ts";
import type { OutboxHandle, Runtime } from "#services/runtime.ts";
import { EachOutbox } from "./each-outbox.ts";
import { logTrouble } from "./log.ts";

/** Outboxes of one store. Health waits 2.5 s at most, also behind these. */
const AT_ONCE = 16;

/** Runs the rules on each outbox and stores the findings. An outbox that cannot be read is a finding, too. */
export class Watchdog {
  readonly #runtime: Runtime;
  readonly #records: Records;
  readonly #each: EachOutbox;

  constructor(options: { runtime: Runtime; records: Records; signal: AbortSignal }) {
    this.#runtime = options.runtime;
    this.#records = options.records;
    this.#each = new EachOutbox({
      work: (outbox) => this.look(outbox),
      onError: (outbox, error) => logTrouble(`watchdog of ${outbox}`, error),
      atOnce: AT_ONCE,
      largestShare: 1 / 8,
      signal: options.signal,
    });
  }

  async runOnce(): Promise<void> {
    const { outboxes, absent } = await this.#runtime.tables();
    this.#each.start(outboxes);
    for (const { kind, name, mode, message } of absent) {
      if (kind !== "outbox") continue;
      noteOutage(this.#runtime, name, "table");
      const error = new AppError("unavailable", message);
      await recordUnreadable({ records: this.#records, outbox: { name, mode }, error, status: "fail" });
    }
  }

  settle(): Promise<void> {
    return this.#each.settle();
  }

  async look(outbox: OutboxHandle): Promise<void> {
    const records = this.#records;
    const read = await examineOutbox({ runtime: this.#runtime, outbox: outbox.name }).catch(toAppError);
    if (isAppError(read)) {
      const { name, config, stop } = outbox;
      const status = stop?.severity ?? "fail";
      await recordUnreadable({ records, outbox: { name, mode: config.mode }, error: read, status });
      throw read;
    }
    const { causes, unread, errors } = read;
    const troubles = errors.filter(({ error }) => troubleOf(error) !== "unindexed");
    for (const { fact, error } of troubles) logTrouble(`fact ${fact} of ${outbox.name}`, error);
    await recordFindings({ records, outbox: outbox.name, causes, unread });
  }
}
