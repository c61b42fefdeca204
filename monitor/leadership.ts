import { setTimeout as delay } from "node:timers/promises";
import type { Records } from "#db/records/records.ts";

export interface LeadershipOptions {
  records: Pick<Records, "takeMonitorLease" | "releaseMonitorLease">;
  owner: string;
  leaseMs: number;
  renewMs: number;
  /** The leader's work. Must end when the signal aborts: this instance no longer leads then. */
  lead: (signal: AbortSignal) => Promise<void>;
  /** Called after a failed try to take or renew the lease; may repair the cause. */
  onError: (error: unknown) => Promise<void>;
}

const LONGEST_BACKOFF_MS = 5_000;

/**
 * Ensures that at most one monitor leads: the holder of a lease on the database's clock. A leader that cannot renew
 * stops by its own clock at two thirds of the lease, before another may begin.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #stopping = new AbortController();
  #leading: { stop: AbortController; done: Promise<void>; end: NodeJS.Timeout } | null = null;
  #loop: Promise<void> | null = null;
  #holdsLease = false;

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  get leads(): boolean {
    return this.#leading !== null && !this.#leading.stop.signal.aborted;
  }

  /** True if others probably have to wait until the lease expires or is released. */
  get holdsLease(): boolean {
    return this.#holdsLease;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Stops the work, then releases the lease so that another can lead at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    const led = await this.#resign();
    // A lease may have been granted after the request to stop.
    if (led || this.#holdsLease) await this.#release();
  }

  async #release(): Promise<void> {
    const { records, owner, onError } = this.#options;
    try {
      await records.releaseMonitorLease(owner);
      this.#holdsLease = false;
    } catch (error) {
      await onError(error);
    }
  }

  async #run(): Promise<void> {
    const { records, owner, leaseMs, renewMs, onError } = this.#options;
    const { signal } = this.#stopping;
    let failures = 0;
    let heldUntil = 0;
    while (!signal.aborted) {
      const askedAt = performance.now();
      try {
        const mine = await records.takeMonitorLease(owner, leaseMs);
        failures = 0;
        this.#holdsLease = mine;
        heldUntil = mine ? askedAt + (leaseMs * 2) / 3 : 0;
        if (!mine) this.#leading?.stop.abort();
      } catch (error) {
        failures += 1;
        await onError(error);
      }
      if (performance.now() < heldUntil) await this.#leadUntil(heldUntil);
      else if (!this.leads) await this.#resign();
      const restMs = failures > 0 ? backoffMs(renewMs, failures) : renewMs;
      await delay(restMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Starts or extends the term. A timer ends it, because a renewal may hang for longer than the lease lasts. */
  async #leadUntil(heldUntil: number): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    if (!this.leads) await this.#resign();
    // The work of the last term may have taken longer than the lease.
    if (performance.now() >= heldUntil) return;
    const stop = this.#leading?.stop ?? new AbortController();
    if (this.#leading) clearTimeout(this.#leading.end);
    const end = setTimeout(() => stop.abort(), Math.max(0, heldUntil - performance.now()));
    this.#leading = { stop, end, done: this.#leading?.done ?? this.#options.lead(stop.signal) };
  }

  /** True if it was leading. */
  async #resign(): Promise<boolean> {
    const leading = this.#leading;
    if (!leading) return false;
    clearTimeout(leading.end);
    leading.stop.abort();
    await leading.done;
    this.#leading = null;
    return true;
  }
}

function backoffMs(renewMs: number, failures: number): number {
  return Math.min((renewMs / 4) * 2 ** Math.min(failures, 10), LONGEST_BACKOFF_MS);
}
