import type { Logger } from "pino";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";

const RETRY_MS = 250;

/**
 * Renews a lease every third of its length. Its owner may publish until two thirds of the lease after the last
 * successful renewal was requested, on this process's monotonic clock. So an owner that was frozen or cut off stops
 * before the database's clock lets another instance begin.
 */
export class LeaseKeeper {
  readonly #table: RelayTable;
  readonly #lease: Lease;
  readonly #log: Logger;
  readonly #events: { renewed: () => void; refused: (error: unknown) => void; expired: () => void; lost: () => void };
  #publishUntilMs: number;
  #timer: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #stopped = false;
  #failing = false;

  /** `askedAtMs`: when the lease was requested, before the database answered. */
  constructor(input: {
    table: RelayTable;
    lease: Lease;
    askedAtMs: number;
    log: Logger;
    /**
     * `refused`: a renewal failed. `expired`: no renewal succeeded in time, but one still may. `lost`: another instance
     * has the lease.
     */
    events: { renewed: () => void; refused: (error: unknown) => void; expired: () => void; lost: () => void };
  }) {
    this.#table = input.table;
    this.#lease = input.lease;
    this.#log = input.log;
    this.#events = input.events;
    this.#publishUntilMs = input.askedAtMs + this.#shareMs;
    this.#schedule(this.#lease.leaseMs / 3);
    this.#watch();
  }

  get publishUntilMs(): number {
    return this.#publishUntilMs;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#expiry);
  }

  get #shareMs(): number {
    return (this.#lease.leaseMs * 2) / 3;
  }

  #schedule(ms: number): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#renew(), ms);
  }

  #watch(): void {
    clearTimeout(this.#expiry);
    if (this.#stopped) return;
    this.#expiry = setTimeout(() => this.#expire(), Math.max(0, this.#publishUntilMs - performance.now()));
  }

  #expire(): void {
    this.#log.warn({ epoch: this.#lease.epoch }, "lease not renewed in time; aborting messages in flight");
    this.#events.expired();
  }

  async #renew(): Promise<void> {
    const askedAtMs = performance.now();
    try {
      const renewed = await this.#table.renewLease(this.#lease);
      if (this.#stopped) return;
      if (!renewed) return this.#events.lost();
      if (this.#failing) this.#log.info("the lease is renewed again");
      this.#failing = false;
      this.#publishUntilMs = askedAtMs + this.#shareMs;
      this.#watch();
      this.#events.renewed();
      this.#schedule(this.#lease.leaseMs / 3);
    } catch (error) {
      if (this.#stopped) return;
      if (!this.#failing) this.#log.warn({ err: error }, "the lease cannot be renewed; trying again");
      this.#failing = true;
      this.#events.refused(error);
      this.#schedule(RETRY_MS);
    }
  }
}
