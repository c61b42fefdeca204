import { addLatency, emptyLatencies } from "#domain/relay/latency-histogram.ts";
import { Moment } from "#relay/clock/database-clock.ts";

/** A foreign publish this long after the last one begins a new period. */
const QUIET_MS = 60_000;

/** Statistics of one process for one outbox since its start; survive the loss of a lease. */
export class RelayStats {
  published = 0;
  failures = 0;
  /** Claimed messages that another program had published or deleted before their settle. */
  foreign = 0;
  /** Rows that another program published and this relay never claimed. */
  foreignUnclaimed = 0;
  lateCommits = 0;
  lastPublished: Moment | null = null;
  /** First and last sign of another publisher in this period. */
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
  /** What failed works again: it explains nothing that is late from now on. */
  overcome(error: string | undefined): void {
    if (error === undefined || this.#lastError !== error) return;
    this.#lastError = null;
    this.#lastErrorAt = null;
  }

  publishedWithin(ms: number): boolean {
    return this.lastPublished !== null && performance.now() - this.lastPublished.monoMs < ms;
  }

  notePublished(count: number, latenciesMs: readonly number[]): void {
    if (count === 0) return;
    this.published += count;
    this.lastPublished = new Moment();
    for (const latencyMs of latenciesMs) addLatency(this.latency, latencyMs);
  }

  /** `claimed`: messages that we had claimed. `seen`: published rows found in the table. */
  noteForeign(signs: { claimed?: number; seen?: number }): void {
    const now = new Moment();
    this.foreign += signs.claimed ?? 0;
    this.foreignUnclaimed += signs.seen ?? 0;
    const last = this.foreignLast?.monoMs ?? Number.NEGATIVE_INFINITY;
    if (now.monoMs - last > QUIET_MS) this.foreignSince = now;
    this.foreignLast = now;
  }
}
