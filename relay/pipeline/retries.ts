import type { OrderKey, RetryEntry } from "#db/outbox/relay-port.ts";

interface Waiting {
  aggregateKey: string | null;
  eventType: string | null;
  order: OrderKey | null;
  dueAtMs: number;
}

/** Failed messages that wait for their next attempt, as the owner knows them; the truth is beside their rows. */
export class Retries {
  readonly #waiting = new Map<string, Waiting>();
  readonly #byAggregate = new Map<string, Set<string>>();
  #version = 0;

  /** Changes with every entry: a list read meanwhile is out of date. */
  get version(): number {
    return this.#version;
  }
  has(id: string): boolean {
    return this.#waiting.has(id);
  }
  get(id: string): Readonly<Waiting> | undefined {
    return this.#waiting.get(id);
  }
  blocks(key: string): boolean {
    return this.#byAggregate.has(key);
  }
  keys(): string[] {
    return [...this.#byAggregate.keys()];
  }
  /** A message of the aggregate before this place waits for its next attempt. */
  earlier(key: string, order: OrderKey, compare: (left: OrderKey, right: OrderKey) => number): boolean {
    return [...(this.#byAggregate.get(key) ?? [])].some((id) => {
      const other = this.orderOf(id);
      return other !== null && compare(other, order) < 0;
    });
  }
  orderOf(id: string): OrderKey | null {
    return this.#waiting.get(id)?.order ?? null;
  }

  add(id: string, waiting: Waiting): void {
    this.remove(id);
    this.#version += 1;
    this.#waiting.set(id, waiting);
    if (waiting.aggregateKey === null) return;
    const ids = this.#byAggregate.get(waiting.aggregateKey) ?? new Set();
    this.#byAggregate.set(waiting.aggregateKey, ids.add(id));
  }

  remove(id: string): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#version += 1;
    this.#waiting.delete(id);
    if (waiting.aggregateKey === null) return;
    const ids = this.#byAggregate.get(waiting.aggregateKey);
    ids?.delete(id);
    if (ids?.size === 0) this.#byAggregate.delete(waiting.aggregateKey);
  }

  /** What is written beside the rows has changed. */
  touch(): void {
    this.#version += 1;
  }

  /**
   * Takes over what the table says, except of messages in memory, whose outcome is newer. Returns what was known and
   * is no longer there.
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
      if (!inMemory(id)) this.add(id, { aggregateKey, eventType, order, dueAtMs: nowMs + dueInMs });
    }
    return vanished;
  }

  /** Ms until the next one outside `inMemory` is due; Infinity without any. */
  dueInMs(nowMs: number, inMemory: (id: string) => boolean): number {
    let least = Number.POSITIVE_INFINITY;
    for (const [id, { dueAtMs }] of this.#waiting) if (dueAtMs < least && !inMemory(id)) least = dueAtMs;
    return least - nowMs;
  }

  /** Messages that must not be tried yet: an earlier message of their aggregate waits too. */
  notHeads(compare: (left: OrderKey, right: OrderKey) => number): string[] {
    const behind: string[] = [];
    for (const ids of this.#byAggregate.values()) {
      if (ids.size < 2) continue;
      const sorted = [...ids].sort((left, right) => {
        const [first, second] = [this.orderOf(left), this.orderOf(right)];
        return first && second ? compare(first, second) : 0;
      });
      behind.push(...sorted.slice(1));
    }
    return behind;
  }
}
