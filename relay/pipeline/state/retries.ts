import type { CompareOrder, OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { RetryEntry } from "#db/stores/port/relay/retry-entry.ts";
import { DueTimes } from "./due-times.ts";
import { idOfLane } from "./lanes/lane-name.ts";

interface Waiting {
  aggregateKey: string | null;
  eventType: string | null;
  order: OrderKey | null;
  dueAtMs: number;
}

/** Tolerance between two readings of one due time on two clocks. */
const SAME_MS = 50;

/**
 * Failed messages that wait for their next attempt, as the owner knows them; the store side has the truth. There may be
 * 100,000, so work of every round must not iterate over all of them.
 */
export class Retries {
  readonly #waiting = new Map<string, Waiting>();
  readonly #byAggregate = new Map<string, Set<string>>();
  /** Aggregates with more than one waiting message. */
  readonly #several = new Set<string>();
  readonly #due = new DueTimes((id) => this.#waiting.get(id)?.dueAtMs);
  #version = 0;

  /** Changes with every entry; a list read meanwhile is out of date. */
  get version(): number {
    return this.#version;
  }
  get size(): number {
    return this.#waiting.size;
  }
  has(id: string): boolean {
    return this.#waiting.has(id);
  }
  get(id: string): Readonly<Waiting> | undefined {
    return this.#waiting.get(id);
  }
  entries(): Iterable<[string, Readonly<Waiting>]> {
    return this.#waiting;
  }
  blocks(key: string): boolean {
    return this.#byAggregate.has(key);
  }
  /** Waiting messages of these aggregates; by the names of `laneNameOf`. */
  idsOf(names: ReadonlySet<string>): string[] {
    return [...names].flatMap((name) => idOfLane(name) ?? [...(this.#byAggregate.get(name) ?? [])]);
  }
  keys(): string[] {
    return [...this.#byAggregate.keys()];
  }
  /** True if an earlier message of the aggregate waits for its next attempt. */
  earlier(key: string, order: OrderKey, compare: CompareOrder): boolean {
    return [...(this.#byAggregate.get(key) ?? [])].some((id) => {
      const other = this.orderOf(id);
      return other !== null && compare(other, order) < 0;
    });
  }
  orderOf(id: string): OrderKey | null {
    return this.#waiting.get(id)?.order ?? null;
  }

  add(id: string, waiting: Waiting): void {
    const before = this.#waiting.get(id);
    if (before && before.aggregateKey !== waiting.aggregateKey) this.remove(id);
    this.#version += 1;
    this.#waiting.set(id, waiting);
    if (before?.dueAtMs !== waiting.dueAtMs) this.#due.add(id, waiting.dueAtMs);
    const { aggregateKey: key } = waiting;
    if (key === null) return;
    const ids = this.#byAggregate.get(key) ?? new Set();
    this.#byAggregate.set(key, ids.add(id));
    if (ids.size > 1) this.#several.add(key);
  }

  remove(id: string): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#version += 1;
    this.#waiting.delete(id);
    const { aggregateKey: key } = waiting;
    if (key === null) return;
    const ids = this.#byAggregate.get(key);
    ids?.delete(id);
    if (ids?.size === 1) this.#several.delete(key);
    if (ids?.size === 0) this.#byAggregate.delete(key);
  }

  /** The store side has changed: a list read meanwhile is out of date. */
  touch(): void {
    this.#version += 1;
  }

  /**
   * Takes over the retries read from the store side, except for messages in memory, whose outcome is newer. Returns
   * known retries that are gone.
   */
  replace(
    entries: readonly RetryEntry[],
    nowMs: number,
    inMemory: (id: string) => boolean,
  ): { id: string; waiting: Waiting }[] {
    const present = new Set(entries.map((entry) => entry.id));
    const vanished = [...this.#waiting]
      .filter(([id]) => !present.has(id) && !inMemory(id))
      .map(([id, waiting]) => ({ id, waiting }));
    for (const { id } of vanished) this.remove(id);
    for (const { id, aggregateKey, eventType, order, dueInMs } of entries) {
      if (inMemory(id) || this.#isKnown(id, aggregateKey, nowMs + dueInMs)) continue;
      this.add(id, { aggregateKey, eventType, order, dueAtMs: nowMs + dueInMs });
    }
    return vanished;
  }

  #isKnown(id: string, aggregateKey: string | null, dueAtMs: number): boolean {
    const known = this.#waiting.get(id);
    return known?.aggregateKey === aggregateKey && Math.abs(known.dueAtMs - dueAtMs) < SAME_MS;
  }

  /**
   * Time until the next unskipped retry is due, ms; too short if earlier ones are skipped. Infinity if there is none.
   */
  dueInMs(nowMs: number, skips: (id: string) => boolean): number {
    return this.#due.next(nowMs, skips) - nowMs;
  }

  /** Messages that must not be tried yet, because an earlier one of their aggregate waits too. */
  notHeads(compare: CompareOrder): string[] {
    const behind: string[] = [];
    for (const key of this.#several) {
      const sorted = [...(this.#byAggregate.get(key) ?? [])].sort((left, right) => {
        const [first, second] = [this.orderOf(left), this.orderOf(right)];
        return first && second ? compare(first, second) : 0;
      });
      behind.push(...sorted.slice(1));
    }
    return behind;
  }
}
