import type { CompareOrder, OrderKey } from "#db/stores/port/relay/outgoing-message.ts";

/**
 * Why an aggregate's messages stay in the table for now. `blocked`: behind a failed head; `crowded`: many in memory;
 * `suspect`: one of them must be published alone; `paused`: paused or held; `paused_type`: one of them is of a paused
 * event type, and later ones must not overtake it; `route`: the same for a route at fault; `followed`: it is published
 * again, and Followers claims its older rows before reads include it again.
 */
export type WithheldReason = "blocked" | "crowded" | "suspect" | "paused" | "paused_type" | "route" | "followed";

/** Reasons that apply from a certain message on; earlier ones of the aggregate go on. */
const FROM_ONE_ON = ["paused_type", "route"] as const;

/** Up to this count, send every withheld key with each read. */
const FEW = 50;

interface Entry {
  /** Reads have excluded its messages from here on; null: from the start of the table. */
  from: OrderKey | null;
  /**
   * When it was withheld, no transaction could still commit a row below this place; null if no such place was known.
   */
  closed: OrderKey | null;
  /** Each with its first known message, or null. */
  reasons: Map<WithheldReason, OrderKey | null>;
}

/**
 * An aggregate that was blocked while no closed place was known: rows before its head may have been committed, or still
 * may be.
 */
export interface UnprovenHead {
  /** The first known message of the aggregate. */
  readonly first: OrderKey;
}

/** Where to read again from, as excluded messages may begin there. Null: at the start of the table. */
export interface Freed {
  from: OrderKey | null;
}

/**
 * Aggregates whose messages stay in the table for now. Claims exclude them, so that neither a blocked nor a hot
 * aggregate takes the place of others.
 */
export class Withheld {
  readonly #compare: CompareOrder;
  readonly #readFrom: () => OrderKey | null;
  readonly #closed: () => OrderKey | null;
  readonly #follows: boolean;
  readonly #entries = new Map<string, Entry>();
  readonly #crowded = new Set<string>();
  readonly #followed = new Set<string>();
  /** Last message of each aggregate that a read found in the table, least recently found first. */
  readonly #met = new Map<string, OrderKey>();
  readonly #freed = new Set<string>();
  readonly #unproven = new Map<string, { first: OrderKey }>();

  /**
   * `readFrom`: where the next read begins; null for the start of the table. `closed`: no transaction can still commit
   * a row below this place; null if no such place is known. Reads begin there, except during a backlog. `follows`:
   * aggregates that go on are followed, so that reads need not begin further back for them.
   */
  constructor(
    compare: CompareOrder,
    readFrom: () => OrderKey | null,
    closed: () => OrderKey | null = readFrom,
    follows = false,
  ) {
    this.#compare = compare;
    this.#follows = follows;
    this.#readFrom = readFrom;
    this.#closed = closed;
  }

  get size(): number {
    return this.#entries.size;
  }
  keys(): string[] {
    return [...this.#entries.keys()];
  }
  /**
   * Keys to exclude from a read that begins at `after`: sending thousands with each read costs more than reading some
   * of their rows. Contains crowded aggregates and those with messages found from there on, dropping the least recently
   * found beyond `most`.
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
  /** Call before each read; there is one at a time. */
  beginRead(): void {
    this.#freed.clear();
  }
  /**
   * True if the aggregate was withheld when the current read began. As a read does not exclude all, it may return
   * messages after others that earlier reads excluded.
   */
  wasFreed(key: string): boolean {
    return this.#freed.has(key);
  }
  has(key: string): boolean {
    return this.#entries.has(key);
  }
  isWithheldFor(key: string, reason: WithheldReason): boolean {
    return this.#entries.get(key)?.reasons.has(reason) ?? false;
  }
  isBlocked(key: string): boolean {
    return this.isWithheldFor(key, "blocked");
  }
  /** True if none of its messages may be published; false for an aggregate that is only crowded. */
  stops(key: string): boolean {
    const reasons = this.#entries.get(key)?.reasons;
    return reasons !== undefined && (reasons.size > 1 || !reasons.has("crowded"));
  }
  /** The same for a message that was claimed for a followed aggregate. */
  stopsFollowed(key: string): boolean {
    const reasons = this.#entries.get(key)?.reasons;
    return [...(reasons?.keys() ?? [])].some((reason) => reason !== "crowded" && reason !== "followed");
  }
  /** True if a message at this place is, or comes after, one that waits for a paused type or a route. */
  isBehindOne(key: string, order: OrderKey): boolean {
    const reasons = this.#entries.get(key)?.reasons;
    return FROM_ONE_ON.some((reason) => {
      const first = reasons?.get(reason);
      return first ? this.#compare(first, order) <= 0 : false;
    });
  }
  /** The aggregate has no unsent message in the table before this place; null if that is unknown. */
  leftFrom(key: string): OrderKey | null {
    return this.#entries.get(key)?.from ?? null;
  }
  keysFor(reason: WithheldReason): string[] {
    return [...this.#entries].filter(([, entry]) => entry.reasons.has(reason)).map(([key]) => key);
  }
  /** The first known message for which the aggregate waits for this reason; null if there is none. */
  firstOf(key: string, reason: WithheldReason): OrderKey | null {
    return this.#entries.get(key)?.reasons.get(reason) ?? null;
  }
  /** The first of all aggregates. */
  firstFor(reason: WithheldReason): OrderKey | null {
    let least: OrderKey | null = null;
    for (const { reasons } of this.#entries.values()) {
      const first = reasons.get(reason);
      if (first && (least === null || this.#compare(first, least) < 0)) least = first;
    }
    return least;
  }
  crowdedKeys(): string[] {
    return [...this.#crowded];
  }

  /**
   * `first`: the first message known to be left in the table. Slow transactions may commit others before it: reads of a
   * backlog begin after the closed place, and reads that exclude the aggregate miss such rows. An aggregate that is
   * only crowded is released within seconds, again and again, so reads do not begin again at the closed place for it.
   */
  withhold(key: string, reason: WithheldReason, first: OrderKey | null): void {
    this.#note(key, first);
    const entry = this.#entries.get(key);
    if (entry && (reason !== "crowded" || this.#follows))
      entry.from = entry.from && entry.closed && this.#earlier(entry.from, entry.closed);
    this.#reason(key, reason, first);
  }
  /**
   * The aggregate waits behind `first`, which the retry path finds: reads need not go back for it, and an operator may
   * have retried one from the start of the table. `isHead`: no unsent message of the aggregate is before `first`. A
   * slow transaction may still commit one, which reads that exclude the aggregate miss: so it is read again from the
   * closed place, or from the start of the table if none is known.
   */
  block(key: string, first: OrderKey | null, isHead = false): void {
    if (!this.#entries.has(key)) {
      const closed = this.#closed();
      const from = isHead && first ? closed && this.#earlier(first, closed) : (closed ?? this.#readFrom());
      this.#entries.set(key, { from, closed, reasons: new Map() });
      if (isHead && first && closed === null) this.#unproven.set(key, { first });
    }
    this.#reason(key, "blocked", first);
  }
  get hasUnproven(): boolean {
    return this.#unproven.size > 0;
  }
  /** By aggregate, as of now. */
  unproven(): Map<string, UnprovenHead> {
    return new Map(this.#unproven);
  }
  /**
   * All rows of the aggregate below `closed` were searched, and those before its head noted; no transaction can still
   * commit another there. Does nothing if the aggregate has gone on since.
   */
  prove(key: string, head: UnprovenHead, closed: OrderKey): void {
    const entry = this.#entries.get(key);
    if (!entry || this.#unproven.get(key) !== head) return;
    this.#unproven.delete(key);
    entry.closed = closed;
    entry.from = this.#earlier(head.first, closed);
  }
  crowd(key: string, first: OrderKey | null): void {
    this.withhold(key, "crowded", first);
  }
  /** Notes a message of a withheld aggregate that is in the table and not in memory. */
  note(key: string, order: OrderKey): void {
    if (!this.#entries.has(key)) return;
    this.#note(key, order);
    this.#meet(key, order);
  }

  /**
   * A message went back to the table. If it precedes the first one that waits for a paused type or a route, that hold
   * is freed, so that it is read; the waiting one is found again after it. Null as in `free`.
   */
  freeBefore(key: string, order: OrderKey): Freed | null {
    const reasons = this.#entries.get(key)?.reasons;
    const later = FROM_ONE_ON.filter((reason) => {
      const first = reasons?.get(reason);
      return first && this.#compare(order, first) < 0;
    });
    return later.reduce<Freed | null>((freed, reason) => this.free(key, reason) ?? freed, null);
  }

  /** Releases the aggregate, but Followers claim its rows from here on before reads find them again. */
  follow(key: string, { from }: Freed): void {
    this.#entries.set(key, { from, closed: this.#closed(), reasons: new Map([["followed", null]]) });
    this.#followed.add(key);
  }
  get followedCount(): number {
    return this.#followed.size;
  }
  /** True if the aggregate is followed and withheld for no other reason. */
  isFollowed(key: string): boolean {
    return this.#followed.has(key) && this.#entries.get(key)?.reasons.size === 1;
  }
  *followed(): Generator<Freed & { key: string }> {
    for (const key of this.#followed) if (this.isFollowed(key)) yield { key, from: this.leftFrom(key) };
  }
  /** None of its rows before this place is left to claim. */
  followedUpTo(key: string, reached: OrderKey): void {
    const entry = this.#entries.get(key);
    if (!entry?.reasons.has("followed")) return;
    if (entry.from === null || this.#compare(entry.from, reached) < 0) entry.from = reached;
  }

  /** Removes a reason. Null if another reason remains, or if the aggregate was not withheld for this one. */
  free(key: string, reason: WithheldReason): Freed | null {
    if (reason === "crowded") this.#crowded.delete(key);
    if (reason === "followed") this.#followed.delete(key);
    const entry = this.#entries.get(key);
    if (!entry?.reasons.delete(reason) || entry.reasons.size > 0) return null;
    this.#entries.delete(key);
    this.#met.delete(key);
    this.#unproven.delete(key);
    this.#freed.add(key);
    return { from: entry.from };
  }

  #reason(key: string, reason: WithheldReason, first: OrderKey | null): void {
    const reasons = this.#entries.get(key)?.reasons;
    if (!reasons) return;
    if (reason === "crowded") this.#crowded.add(key);
    else if (first && !reasons.has(reason)) this.#meet(key, first);
    const known = reasons.get(reason);
    reasons.set(reason, known && (!first || this.#compare(known, first) <= 0) ? known : first);
  }

  #note(key: string, order: OrderKey | null): void {
    const fresh = () => ({ from: this.#readFrom(), closed: this.#closed(), reasons: new Map() });
    const entry = this.#entries.get(key) ?? fresh();
    if (order && entry.from && this.#compare(order, entry.from) < 0) entry.from = order;
    const unproven = this.#unproven.get(key);
    if (order && unproven) unproven.first = this.#earlier(unproven.first, order);
    this.#entries.set(key, entry);
  }

  #earlier(first: OrderKey, other: OrderKey | null): OrderKey {
    return other !== null && this.#compare(other, first) < 0 ? other : first;
  }

  #meet(key: string, order: OrderKey): void {
    const met = this.#met.get(key);
    this.#met.delete(key);
    this.#met.set(key, met && this.#compare(met, order) > 0 ? met : order);
  }
}
