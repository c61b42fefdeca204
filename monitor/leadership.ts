import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { releaseMonitorLease, takeMonitorLease } from "#db/watchdog/monitor-lease.ts";

export interface LeadershipOptions {
  consoleDb: Pool;
  owner: string;
  leaseMs: number;
  renewMs: number;
  /** Works until the signal says that it leads no more. */
  lead: (signal: AbortSignal) => Promise<void>;
  /** A failed try to take or renew the lease; may mend what was wrong. */
  onError: (error: unknown) => Promise<void>;
}

const LONGEST_BACKOFF_MS = 15_000;

/**
 * Exactly one monitor leads: the one that holds the lease, renewed on the database's clock. A leader that could not renew
 * stops by its own clock at two thirds of the lease, before another may begin.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #stopping = new AbortController();
  #leading: { stop: AbortController; done: Promise<void> } | null = null;
  #loop: Promise<void> | null = null;

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  get leads(): boolean {
    return this.#leading !== null;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Stops the work, then lets the next one lead at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    const led = await this.#resign();
    if (led) await releaseMonitorLease(this.#options.consoleDb, this.#options.owner).catch(this.#options.onError);
  }

  async #run(): Promise<void> {
    const { consoleDb, owner, leaseMs, renewMs, onError } = this.#options;
    const { signal } = this.#stopping;
    let failures = 0;
    let heldUntil = 0;
    while (!signal.aborted) {
      const askedAt = performance.now();
      try {
        const mine = await takeMonitorLease(consoleDb, owner, leaseMs);
        failures = 0;
        heldUntil = mine ? askedAt + (leaseMs * 2) / 3 : 0;
      } catch (error) {
        failures += 1;
        await onError(error);
      }
      if (performance.now() < heldUntil) this.#begin();
      else await this.#resign();
      await this.#rest(failures > 0 ? backoffMs(renewMs, failures) : renewMs, heldUntil);
    }
  }

  /** Sleeps, but wakes when the lease that could not be renewed is used up. */
  async #rest(ms: number, heldUntil: number): Promise<void> {
    const untilLostMs = this.#leading ? Math.max(0, heldUntil - performance.now()) : Number.POSITIVE_INFINITY;
    await delay(Math.min(ms, untilLostMs), undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  #begin(): void {
    if (this.#leading || this.#stopping.signal.aborted) return;
    const stop = new AbortController();
    this.#leading = { stop, done: this.#options.lead(stop.signal) };
  }

  /** True when it led. */
  async #resign(): Promise<boolean> {
    const leading = this.#leading;
    if (!leading) return false;
    leading.stop.abort();
    await leading.done;
    this.#leading = null;
    return true;
  }
}

function backoffMs(renewMs: number, failures: number): number {
  return Math.min((renewMs / 4) * 2 ** Math.min(failures, 10), LONGEST_BACKOFF_MS);
}
