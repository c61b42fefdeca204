import { setTimeout as delay } from "node:timers/promises";
import type { MessageOutcome, SettleResult } from "#db/outbox/relay-port.ts";
import { isConnectionError } from "#db/postgres/database-error.ts";
import type { Held, Lanes } from "./lanes.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { Waker } from "./waker.ts";

export interface Decided {
  held: Held;
  outcome: MessageOutcome;
}

const MOST = 2000;
/** Enough to be worth a transaction at once. */
const ENOUGH = 400;
const LINGER_MS = 2;
const LONGEST_LINGER_MS = 10;
const LONGEST_RETRY_MS = 2000;

/**
 * Writes outcomes as they come, one transaction at a time, and never waits for the slowest message of a claim. What
 * cannot be written now is kept and tried again: the outcome of a message is never forgotten while the lease lasts.
 */
export class Settler {
  readonly #context: PipelineContext;
  readonly #lanes: Lanes;
  readonly #onSettled: (batch: readonly Decided[], result: SettleResult) => void;
  readonly #waker = new Waker();
  #queue: Decided[] = [];
  /** Parts of a batch that was refused as a whole: settled apart, so that one bad row keeps no other waiting. */
  #parts: { batch: Decided[]; afterDoubt: boolean }[] = [];
  #stopped = false;
  #busy = false;
  #failing = false;
  #warned = false;
  #lastSize = 0;

  constructor(
    context: PipelineContext,
    lanes: Lanes,
    onSettled: (batch: readonly Decided[], result: SettleResult) => void,
  ) {
    this.#context = context;
    this.#lanes = lanes;
    this.#onSettled = onSettled;
  }

  /** True while the database does not take outcomes: no reason to claim more. */
  get failing(): boolean {
    return this.#failing;
  }
  get idle(): boolean {
    return this.#queue.length === 0 && this.#parts.length === 0 && !this.#busy;
  }

  push(held: Held, outcome: MessageOutcome): void {
    this.#queue.push({ held, outcome });
    if (this.#queue.length === 1 || this.#queue.length === ENOUGH) this.#waker.wake();
  }

  stop(): void {
    this.#stopped = true;
    this.#waker.wake();
  }

  /** Ends after `stop`. What is still queued then belongs to a term that is over. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      const part = this.#parts.shift();
      if (part) {
        await this.#settle(part.batch, part.afterDoubt);
        continue;
      }
      if (this.#queue.length === 0) {
        await this.#waker.wait(60_000);
        continue;
      }
      if (this.#queue.length < ENOUGH) await this.#waker.wait(this.#lastSize < 20 ? LINGER_MS : LONGEST_LINGER_MS);
      const batch = this.#queue.splice(0, MOST);
      this.#lastSize = batch.length;
      await this.#settle(batch, false);
    }
  }

  async #settle(batch: Decided[], afterDoubt: boolean): Promise<void> {
    this.#busy = true;
    try {
      const { table, lease } = this.#context;
      const entries = batch.map(({ held, outcome }) => ({ token: held.token, message: held.message, outcome }));
      const endedTokens = this.#lanes.endedTokens(batch.map(({ held }) => held));
      const result = await table.settle({ lease, entries, endedTokens, afterDoubt });
      this.#failing = false;
      this.#warned &&= this.#parts.length > 0;
      this.#onSettled(batch, result);
    } catch (error) {
      await this.#again(batch, afterDoubt, error);
    } finally {
      this.#busy = false;
    }
  }

  async #again(batch: Decided[], afterDoubt: boolean, error: unknown): Promise<void> {
    const { log, stats } = this.#context;
    const doubt = afterDoubt || (error instanceof Error && error.name === "CommitDoubtError");
    stats.lastError = `Outcomes could not be written: ${error instanceof Error ? error.message : String(error)}`;
    if (!this.#warned) log.warn({ err: error, messages: batch.length }, "outcomes cannot be written; trying again");
    this.#warned = true;
    const connection = doubt || isConnectionError(error);
    this.#failing = connection;
    if (!connection && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      this.#parts.push({ batch: batch.slice(0, half), afterDoubt }, { batch: batch.slice(half), afterDoubt });
      return;
    }
    this.#parts.push({ batch, afterDoubt: doubt });
    if (!this.#stopped) await delay(connection ? Math.random() * LONGEST_RETRY_MS : LONGEST_LINGER_MS * 20);
  }
}
