import { addLatency, emptyLatencies } from "#domain/latency-histogram.ts";

/** What one process has done for one outbox since it started; survives the loss of a lease. */
export class RelayStats {
  published = 0;
  failures = 0;
  foreign = 0;
  lateCommits = 0;
  lastPublishedAt: Date | null = null;
  readonly latency = emptyLatencies();
  #lastError: string | null = null;
  #lastErrorAt: Date | null = null;

  get lastError(): string | null {
    return this.#lastError;
  }
  set lastError(error: string) {
    this.#lastError = error;
    this.#lastErrorAt = new Date();
  }
  get lastErrorAt(): Date | null {
    return this.#lastErrorAt;
  }

  notePublished(count: number, latenciesMs: readonly number[]): void {
    if (count === 0) return;
    this.published += count;
    this.lastPublishedAt = new Date();
    for (const latencyMs of latenciesMs) addLatency(this.latency, latencyMs);
  }
}
