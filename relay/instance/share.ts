import type { AcquiredLease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { ShareView } from "#db/stores/port/relay/share-view.ts";
import { Balance, quotaOf } from "./balance.ts";

/** An instance that is silent for so long takes no part: some beats may be lost, but it must not outlast its lease. */
const SILENT_MS = 4000;
const LEAST_SILENT_MS = 2500;

/** What this relay may own of its outbox, now and next: a share among its siblings, or all of it or nothing. */
export class Share {
  readonly #table: RelayTable;
  readonly #id: string;
  readonly #leaseMs: number;
  readonly #shared: boolean;
  readonly #balance: Balance;
  #view: ShareView | null = null;
  #changedAtMs = 0;

  constructor(input: { table: RelayTable; id: string; leaseMs: number; shared: boolean }) {
    this.#table = input.table;
    this.#id = input.id;
    this.#leaseMs = input.leaseMs;
    this.#shared = input.shared;
    this.#balance = new Balance(input.id);
  }

  /** `most`: what `next` has decided; null lets the siblings decide. Null when there is nothing to own at this moment. */
  async acquire(most: number | null): Promise<AcquiredLease | null> {
    try {
      return await this.#acquire(most);
    } finally {
      this.#view = null;
      this.#changedAtMs = performance.now();
    }
  }

  async #acquire(most: number | null): Promise<AcquiredLease | null> {
    const request = { owner: this.#id, leaseMs: this.#leaseMs };
    if (!this.#shared) return this.#table.acquireLease(request);
    const wanted = most ?? (await this.#quota());
    return wanted > 0 ? this.#table.acquireLease({ ...request, share: true, most: wanted }) : null;
  }

  /** What a heartbeat found; what it may have seen before this term began says nothing about the term. */
  noteView(view: ShareView, askedAtMs: number): void {
    if (askedAtMs > this.#changedAtMs) this.#view = view;
  }

  /** How many partitions the next term should have; null while this one's share is right, or nothing new was seen. */
  next(): number | null {
    const view = this.#view;
    this.#view = null;
    return this.#shared && view ? this.#balance.next(view) : null;
  }

  get silentMs(): number {
    return Math.max(LEAST_SILENT_MS, Math.min(SILENT_MS, (this.#leaseMs * 2) / 3));
  }

  async #quota(): Promise<number> {
    const view = await this.#table.readShares({ silentMs: this.silentMs });
    const has = view.owned.get(this.#id) ?? 0;
    return view.free + has > 0 ? quotaOf(this.#id, view) : 0;
  }
}
