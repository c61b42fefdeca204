import type { TableName } from "#db/stores/port/mapping.ts";
import { isForbidden } from "../../connection/database-error.ts";
import type { RelaySessions } from "../../connection/sessions.ts";
import { type Read, type Sample, TransactionHorizon } from "./transaction-horizon.ts";
import { mayWrite, readWriters } from "./transaction-list.ts";
import { sampleOf, type TransactionSamples } from "./transaction-samples.ts";

/**
 * Open transactions of the server, as one relay's reads need them. AUTO_INCREMENT gives out numbers before their
 * transactions commit, so a row may appear below those that were read; it cannot once every transaction that was open
 * at the read has ended.
 */
export class OpenTransactions {
  readonly #samples: TransactionSamples;
  readonly #sessions: Pick<RelaySessions, "once">;
  readonly #table: TableName;
  #joined = false;
  /** The last sample that leaves out transactions which do not write to the table. */
  #ofWriters: Sample | null = null;
  #asking: Promise<void> | null = null;
  #refusedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(samples: TransactionSamples, sessions: Pick<RelaySessions, "once">, table: TableName) {
    this.#samples = samples;
    this.#sessions = sessions;
    this.#table = table;
  }

  /** False while the server refuses to list open transactions: then the window of time decides. */
  get readable(): boolean {
    return this.#samples.readable;
  }

  /**
   * Call before a read, and `ended` as soon as its rows have arrived. Takes a sample in the background if one is due.
   */
  begin(): BegunRead {
    this.#join();
    const before: Read["before"] = this.readable ? this.#latest() : "by time";
    const beganAtMs = performance.now();
    return {
      ended: () => {
        const horizon = new TransactionHorizon({
          ...{ before, beganAtMs },
          ...{ endedAtMs: performance.now(), marker: this.#samples.marker },
        });
        this.#samples.sampleIfDue();
        return horizon;
      },
    };
  }

  /**
   * Takes a sample of the transactions that write to the table, if the server shows them, for reads that begin after
   * it.
   */
  sampleWriters(): void {
    if (this.#asking || performance.now() < this.#refusedUntilMs) return;
    this.#join();
    this.#asking = this.#askForWriters()
      .catch((error: unknown) => {
        // Otherwise the next call asks again.
        if (isForbidden(error)) this.#refusedUntilMs = performance.now() + this.#samples.refusedMs;
      })
      .finally(() => {
        this.#asking = null;
      });
  }

  /** For the last relay of a store, waits for the running sample. */
  async close(): Promise<void> {
    if (!this.#joined) return;
    this.#joined = false;
    await this.#samples.leave();
  }

  #join(): void {
    if (this.#joined) return;
    this.#joined = true;
    this.#samples.join();
  }

  /** Writers are read after the marker has begun: one that comes later has a higher number than the reads before it. */
  async #askForWriters(): Promise<void> {
    const { begun, ended } = this.#samples.sample();
    await begun;
    const writers = await readWriters(this.#sessions, this.#table);
    const sampled = await ended;
    if (!writers || !sampled || writers.server !== sampled.server) return;
    this.#ofWriters = sampleOf(sampled, (transaction) => mayWrite(writers, transaction));
  }

  #latest(): Sample | null {
    const [all, ofWriters] = [this.#samples.latest, this.#ofWriters];
    if (!all || !ofWriters || all.server !== ofWriters.server) return all;
    return ofWriters.endedBelow > all.endedBelow ? ofWriters : all;
  }
}

export interface BegunRead {
  ended(): TransactionHorizon;
}
