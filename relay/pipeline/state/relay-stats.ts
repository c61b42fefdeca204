import { addLatency, emptyLatencies } from "#domain/latency-histogram.ts";
import { Moment } from "#relay/instance/database-clock.ts";

/** A sign of someone else so long after the last one is a new story. */
const QUIET_MS = 60_000;

/** What one process has done for one outbox since it started; survives the loss of a lease. */
export class RelayStats {
  published = 0;
  failures = 0;
  /** Claimed messages that someone else had published or taken away when they were to be settled. */
  foreign = 0;
  /** Rows that someone else published and that were never claimed here. */
  foreignUnclaimed = 0;
  lateCommits = 0;
  lastPublished: Moment | null = null;
  /** The first and the last sign of someone else publishing. */
  foreignSince: Moment | null = null;
  foreignLast: Moment | null = null;
  readonly latency = emptyLatencies();
  #lastError: string | null = null;
  #lastErrorAt: Moment | null = null;

  get lastError(): string | null {
    return this.#lastError;
  }
  set lastError(error: string) {
    this.#lastError = error;
    this.#lastErrorAt = new Moment();
  }
  get lastErrorAt(): Moment | null {
    return this.#lastErrorAt;
  }

  notePublished(count: number, latenciesMs: readonly number[]): void {
    if (count === 0) return;
    this.published += count;
    this.lastPublished = new Moment();
    for (const latencyMs of latenciesMs) addLatency(this.latency, latencyMs);
  }

  /** `claimed`: of messages of ours. `seen`: of rows that were found in the table. */
  noteForeign(signs: { claimed?: number; seen?: number }): void {
    const now = new Moment();
    this.foreign += signs.claimed ?? 0;
    this.foreignUnclaimed += signs.seen ?? 0;
    const last = this.foreignLast?.monoMs ?? Number.NEGATIVE_INFINITY;
    if (now.monoMs - last > QUIET_MS) this.foreignSince = now;
    this.foreignLast = now;
  }
}
