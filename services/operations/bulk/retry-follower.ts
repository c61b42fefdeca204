import type { BulkLease, BulkRecords, ItemResult } from "#db/stores/port/bulk-records.ts";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxStore } from "#db/stores/port/store.ts";
import { followItems } from "./follow-items.ts";

const AT_ONCE = 500;
const EVERY_MS = 250;

/** Looks up the outcomes of retried messages, page by page. */
export class RetryFollower {
  readonly #bulk: BulkRecords;
  readonly #lease: BulkLease;
  #after: number | null = null;
  #fromMs = 0;

  constructor(bulk: BulkRecords, lease: BulkLease) {
    this.#bulk = bulk;
    this.#lease = lease;
  }

  /** Outcomes that it has written; empty if none became known, or it is not time yet. */
  async follow(outbox: OutboxStore, lifecycle: OutboxMapping["lifecycle"]): Promise<ItemResult[]> {
    if (performance.now() < this.#fromMs) return [];
    const items = await this.#bulk.released(this.#lease.id, this.#after, AT_ONCE);
    const full = items.length === AT_ONCE;
    this.#after = full ? (items.at(-1)?.seq ?? null) : null;
    const rows = await outbox.read.find(items.map(({ messageId }) => messageId));
    const results = followItems(items, rows, lifecycle);
    // A page that is mostly settled has others like it behind it.
    this.#fromMs = full && results.length * 2 > AT_ONCE ? 0 : performance.now() + EVERY_MS;
    if (results.length === 0 || !(await this.#bulk.settle(this.#lease, results, { again: true }))) return [];
    return results;
  }
}
