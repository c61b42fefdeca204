import type { AcquiredLease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { ShareView } from "#db/stores/port/relay/share-view.ts";
import { Balance, quotaOf } from "./balance.ts";

/**
 * An instance without a heartbeat for this long is not a member: allows for lost beats, but must not exceed the lease.
 */
const SILENT_MS = 4000;
const LEAST_SILENT_MS = 2500;

/**
 * Decides how many partitions this relay may own, now and in the next term: a share among its siblings, or all or none.
 * One that keeps order and one that does not divide the messages by different rules. Together they would publish some
 * messages twice and others not at all, so the one that comes later owns nothing while the other owns some.
 */
export class PartitionShare {
  readonly #table: RelayTable;
  readonly #id: string;
  readonly #leaseMs: number;
  readonly #shared: boolean;
  readonly #balance: Balance;
  #view: ShareView | null = null;
  #changedAtMs = 0;
  #differsFrom: string | null = null;

  constructor(input: { table: RelayTable; id: string; leaseMs: number; shared: boolean }) {
    this.#table = input.table;
    this.#id = input.id;
    this.#leaseMs = input.leaseMs;
    this.#shared = input.shared;
    this.#balance = new Balance(input.id);
  }

  /**
   * `most`: result of `next`; null: the quota among the current members. Returns null if there is nothing to own now.
   */
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

  /** Uses the view that a heartbeat read, unless the read was requested before this term began. */
  noteView(view: ShareView, askedAtMs: number): void {
    if (askedAtMs > this.#changedAtMs) this.#view = view;
  }

  /** Number of partitions for the next term, 0 for none; null if this one's share is right or nothing new was read. */
  next(): number | null {
    const view = this.#view;
    this.#view = null;
    if (!this.#shared || !view) return null;
    const owner = this.#ownerThatDiffers(view);
    // Both began at the same moment.
    if (owner !== null && this.#isAfter(owner, view)) return 0;
    return this.#balance.next(this.#agreeing(view));
  }

  /** Id of the instance that this one waits for, because it owns partitions and differs from it in `relay.ordering`. */
  get differsFrom(): string | null {
    return this.#differsFrom;
  }

  get silentMs(): number {
    return Math.max(LEAST_SILENT_MS, Math.min(SILENT_MS, (this.#leaseMs * 2) / 3));
  }

  async #quota(): Promise<number> {
    const view = await this.#table.readShares({ silentMs: this.silentMs });
    this.#differsFrom = this.#ownerThatDiffers(view);
    if (this.#differsFrom !== null) return 0;
    const has = view.owned.get(this.#id) ?? 0;
    return view.free + has > 0 ? quotaOf(this.#id, this.#agreeing(view)) : 0;
  }

  #ownerThatDiffers(view: ShareView): string | null {
    for (const [id, count] of view.owned) if (count > 0 && this.#differs(id, view)) return id;
    return null;
  }

  #differs(id: string, { orderings }: ShareView): boolean {
    const ordering = orderings.get(id);
    return ordering !== undefined && (ordering === "none") !== (this.#table.ordering.kind === "none");
  }

  /** True if the other one has more partitions, or as many and the lower id. */
  #isAfter(other: string, { owned }: ShareView): boolean {
    const more = (owned.get(other) ?? 0) - (owned.get(this.#id) ?? 0);
    return more > 0 || (more === 0 && other < this.#id);
  }

  /** Without the instances that differ: they wait, and take no share. */
  #agreeing(view: ShareView): ShareView {
    return { ...view, members: view.members.filter((id) => !this.#differs(id, view)) };
  }
}
