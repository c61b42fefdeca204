import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";

/**
 * Why an aggregate's messages stay in the table for now. `blocked`: behind a failed head; `crowded`: many in memory;
 * `suspect`: one of them must be published alone; `paused`: on purpose; `paused_type`: one of them is of an event type
 * that is paused, and what follows must not overtake it; `route`: the same for a route at fault.
 */
export type WithheldReason = "blocked" | "crowded" | "suspect" | "paused" | "paused_type" | "route";

/** These begin with a message that was met in the table: what comes before it goes on. */
const FROM_ONE_ON = ["paused_type", "route"] as const;

/** So few may as well travel with every read. */
const FEW = 50;

interface Entry {
  /** Reads have left its messages out from here on; null: from the start of the table. */
  from: OrderKey | null;
  /** With the first message that was met for each, where one is known. */
  reasons: Map<WithheldReason, OrderKey | null>;
}

/** Where to read again from: what was left out may begin there. Null: at the start of the table. */
export interface Freed {
  from: OrderKey | null;
}

/**
 * Aggregates whose messages stay in the table for now. A claim leaves them out, so that neither a blocked nor a hot
 * aggregate takes the place of others.
 */
export class Withheld {
  readonly #compare: (left: OrderKey, right: OrderKey) => number;
  readonly #readFrom: () => OrderKey | null;
  readonly #entries = new Map<string, Entry>();
  readonly #crowded = new Set<string>();
  /** The last message of each that was met in the table, in the order of meeting them. */
  readonly #met = new Map<string, OrderKey>();
  readonly #freed = new Set<string>();

  /** `readFrom`: where the next read begins; null for the start of the table. */
  constructor(compare: (left: OrderKey, right: OrderKey) => number, readFrom: () => OrderKey | null) {
    this.#compare = compare;
    this.#readFrom = readFrom;
  }

  get size(): number {
    return this.#entries.size;
  }
  keys(): string[] {
    return [...this.#entries.keys()];
  }
  /**
   * For reads that begin at `after`: thousands of aggregates cost more to send with each than to meet now and then.
   * Those that crowd, and those of which messages were met there; the latest first to stay.
   */
  keysAbove(after: OrderKey | null, most: number): string[] {
    if (after === null || this.#entries.size <= FEW) return this.keys();
    const keys = new Set(this.#crowded);
    for (const [key, met] of this.#met) {
      if (this.#met.size > most || !this.#entries.has(key) || this.#compare(met, after) < 0) this.#met.delete(key);
      else keys.add(key);
    }
    return [...keys];
  }
  /** To be called before each read, one at a time. */
  beginRead(): void {
    this.#freed.clear();
  }
  /**
   * It was withheld when the read that is under way began. A read is not told of all, so it may bring messages that come
   * after others that earlier reads were told to leave out.
   */
  wasFreed(key: string): boolean {
    return this.#freed.has(key);
  }
  has(key: string): boolean {
    return this.#entries.has(key);
  }
  isHeld(key: string, reason: WithheldReason): boolean {
    return this.#entries.get(key)?.reasons.has(reason) ?? false;
  }
  isBlocked(key: string): boolean {
    return this.isHeld(key, "blocked");
  }
  /** Nothing of the aggregate may be published; one that is merely crowded goes on. */
  stops(key: string): boolean {
    const reasons = this.#entries.get(key)?.reasons;
    return reasons !== undefined && (reasons.size > 1 || !reasons.has("crowded"));
  }
  /** No message of the aggregate that is still to be sent is left before this place; null when that is not known. */
  leftFrom(key: string): OrderKey | null {
    return this.#entries.get(key)?.from ?? null;
  }
  keysFor(reason: WithheldReason): string[] {
    return [...this.#entries].filter(([, entry]) => entry.reasons.has(reason)).map(([key]) => key);
  }
  crowdedKeys(): string[] {
    return [...this.#crowded];
  }

  /** `first`: the first message that is known to be left in the table. Others may be before it. */
  hold(key: string, reason: WithheldReason, first: OrderKey | null): void {
    const { reasons } = this.#note(key, first);
    if (reason === "crowded") this.#crowded.add(key);
    else if (first && !reasons.has(reason)) this.#meet(key, first);
    const known = reasons.get(reason);
    reasons.set(reason, known && (!first || this.#compare(known, first) <= 0) ? known : first);
  }
  /** `isHead`: no unsent message of the aggregate is before `first`, so that reads need not go back further. */
  block(key: string, first: OrderKey | null, isHead = false): void {
    if (isHead && first && !this.#entries.has(key)) this.#entries.set(key, { from: first, reasons: new Map() });
    this.hold(key, "blocked", first);
  }
  crowd(key: string, first: OrderKey | null): void {
    this.hold(key, "crowded", first);
  }
  /** A message of a withheld aggregate is in the table alone. */
  note(key: string, order: OrderKey): void {
    if (!this.#entries.has(key)) return;
    this.#note(key, order);
    this.#meet(key, order);
  }

  /**
   * A message that is in the table again comes before the first of an event type that waits: it must be read, and the one
   * that waits is met again behind it. Null as in `free`.
   */
  freeBefore(key: string, order: OrderKey): Freed | null {
    const reasons = this.#entries.get(key)?.reasons;
    const later = FROM_ONE_ON.filter((reason) => {
      const first = reasons?.get(reason);
      return first && this.#compare(order, first) < 0;
    });
    return later.reduce<Freed | null>((freed, reason) => this.free(key, reason) ?? freed, null);
  }

  /** Null while something else holds the aggregate back, or when nothing did. */
  free(key: string, reason: WithheldReason): Freed | null {
    if (reason === "crowded") this.#crowded.delete(key);
    const entry = this.#entries.get(key);
    if (!entry?.reasons.delete(reason) || entry.reasons.size > 0) return null;
    this.#entries.delete(key);
    this.#met.delete(key);
    this.#freed.add(key);
    return { from: entry.from };
  }
  unblock(key: string): Freed | null {
    return this.free(key, "blocked");
  }
  uncrowd(key: string): Freed | null {
    return this.free(key, "crowded");
  }

  #note(key: string, order: OrderKey | null): Entry {
    const entry = this.#entries.get(key) ?? { from: this.#readFrom(), reasons: new Map() };
    if (order && entry.from && this.#compare(order, entry.from) < 0) entry.from = order;
    this.#entries.set(key, entry);
    return entry;
  }

  #meet(key: string, order: OrderKey): void {
    const met = this.#met.get(key);
    this.#met.delete(key);
    this.#met.set(key, met && this.#compare(met, order) > 0 ? met : order);
  }
}
