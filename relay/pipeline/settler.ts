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
const MOST_AT_ONCE = 2;
/** Enough to be worth a transaction at once. */
const ENOUGH = 400;
const LINGER_MS = 5;
const LONGEST_LINGER_MS = 25;
const LONGEST_RETRY_MS = 2000;
/** Before a part that the database refused is tried again. */
const REFUSED_MS = 200;

/**
 * Writes outcomes as they come, and never waits for the slowest message of a claim. Two transactions at a time, of
 * different claims: while one waits for the disk or for its answer to travel, the other works. What cannot be written
 * now is kept and tried again: the outcome of a message is never forgotten while the lease lasts.
 */
export class Settler {
  readonly #context: PipelineContext;
  readonly #lanes: Lanes;
  readonly #onSettled: (batch: readonly Decided[], result: SettleResult) => void;
  readonly #waker = new Waker();
  /** What waits, by the token of its claim, longest waiting first. */
  readonly #queue = new Map<string, Decided[]>();
  /** Claims with a part in a transaction: who ends a claim must be the last to write of it. */
  readonly #writing = new Set<string>();
  #queued = 0;
  #running = 0;
  /** Parts of a batch that was refused as a whole: settled apart, so that one bad row keeps no other waiting. */
  #parts: { batch: Decided[]; afterDoubt: boolean }[] = [];
  #stopped = false;
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
    return this.#queued === 0 && this.#parts.length === 0 && this.#running === 0;
  }

  push(held: Held, outcome: MessageOutcome): void {
    const waiting = this.#queue.get(held.token);
    if (waiting) waiting.push({ held, outcome });
    else this.#queue.set(held.token, [{ held, outcome }]);
    this.#queued += 1;
    if (this.#queued === 1 || this.#queued === ENOUGH) this.#waker.wake();
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
      if (this.#queued === 0 || (this.#queued < ENOUGH && this.#running > 0)) {
        await this.#waker.wait(60_000);
        continue;
      }
      if (this.#queued < ENOUGH) await this.#linger();
      const batch = this.#running < MOST_AT_ONCE ? this.#take() : [];
      if (batch.length > 0) void this.#settle(batch, false);
      else await this.#waker.wait(60_000);
    }
  }

  #linger(): Promise<void> {
    return this.#waker.wait(this.#lastSize < 20 ? LINGER_MS : LONGEST_LINGER_MS);
  }

  /** What waits of claims of which nothing is being written. */
  #take(): Decided[] {
    const batch: Decided[] = [];
    const refused = new Set(this.#parts.flatMap((part) => part.batch.map(({ held }) => held.token)));
    for (const [token, waiting] of this.#queue) {
      if (this.#writing.has(token) || refused.has(token)) continue;
      if (batch.length > 0 && batch.length + waiting.length > MOST) break;
      this.#queue.delete(token);
      for (const decided of waiting) batch.push(decided);
    }
    this.#queued -= batch.length;
    if (batch.length > 0) this.#lastSize = batch.length;
    return batch;
  }

  async #settle(batch: Decided[], afterDoubt: boolean): Promise<void> {
    const tokens = new Set(batch.map(({ held }) => held.token));
    this.#running += 1;
    for (const token of tokens) this.#writing.add(token);
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
      this.#running -= 1;
      for (const token of tokens) this.#writing.delete(token);
      this.#waker.wake();
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
    if (!this.#stopped) await delay(connection ? Math.random() * LONGEST_RETRY_MS : REFUSED_MS);
  }
}
