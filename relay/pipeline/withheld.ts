import type { OrderKey } from "#db/outbox/relay-port.ts";

interface Entry {
  /** First message that was left in the table, as far as this relay knows; null when it knows of none. */
  first: OrderKey | null;
  blocked: boolean;
  crowded: boolean;
}

/**
 * Aggregates whose messages stay in the table for now: blocked behind a failed head, or with many in memory. A claim
 * leaves them out, so that neither a blocked nor a hot aggregate takes the place of others.
 */
export class Withheld {
  readonly #compare: (left: OrderKey, right: OrderKey) => number;
  readonly #entries = new Map<string, Entry>();

  constructor(compare: (left: OrderKey, right: OrderKey) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#entries.size;
  }
  keys(): string[] {
    return [...this.#entries.keys()];
  }
  has(key: string): boolean {
    return this.#entries.has(key);
  }
  isBlocked(key: string): boolean {
    return this.#entries.get(key)?.blocked ?? false;
  }
  crowdedKeys(): string[] {
    return [...this.#entries].filter(([, entry]) => entry.crowded).map(([key]) => key);
  }

  block(key: string, first: OrderKey | null): void {
    this.#note(key, first).blocked = true;
  }
  crowd(key: string, first: OrderKey | null): void {
    this.#note(key, first).crowded = true;
  }
  /** A message of a withheld aggregate is in the table alone. */
  note(key: string, order: OrderKey): void {
    if (this.#entries.has(key)) this.#note(key, order);
  }

  /** Where to read again from, once nothing holds the aggregate back any more; null when there is nothing to read. */
  unblock(key: string): OrderKey | null {
    const entry = this.#entries.get(key);
    if (entry) entry.blocked = false;
    return this.#leave(key);
  }
  uncrowd(key: string): OrderKey | null {
    const entry = this.#entries.get(key);
    if (entry) entry.crowded = false;
    return this.#leave(key);
  }

  #leave(key: string): OrderKey | null {
    const entry = this.#entries.get(key);
    if (!entry || entry.blocked || entry.crowded) return null;
    this.#entries.delete(key);
    return entry.first;
  }

  #note(key: string, order: OrderKey | null): Entry {
    const entry = this.#entries.get(key) ?? { first: null, blocked: false, crowded: false };
    if (order && (entry.first === null || this.#compare(order, entry.first) < 0)) entry.first = order;
    this.#entries.set(key, entry);
    return entry;
  }
}
