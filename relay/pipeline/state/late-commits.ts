import type { CompareOrder, OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";

const REMEMBERED_AGGREGATES = 50_000;
const REMEMBERED_MESSAGES = 10_000;

/**
 * Remembers the last published place of each aggregate, to detect messages that were committed after a later one was
 * published. Kept in two generations, so that forgetting the oldest costs nothing per message.
 */
export class LateCommits {
  readonly #compare: CompareOrder;
  #recent = new Map<string, OrderKey>();
  #before = new Map<string, OrderKey>();
  readonly #again = new Set<string>();
  /** The last place of all. Later messages are not late, so most need no search in a large map. */
  #last: OrderKey | null = null;

  constructor(compare: CompareOrder) {
    this.#compare = compare;
  }

  wentOut({ id, aggregateKey, order }: OutgoingMessage): void {
    if (this.#again.size > 0) this.#again.delete(id);
    if (aggregateKey === null) return;
    const last = this.#lastOf(aggregateKey);
    if (last && this.#compare(order, last) <= 0) return;
    if (this.#last === null || this.#compare(order, this.#last) > 0) this.#last = order;
    this.#recent.set(aggregateKey, order);
    if (this.#recent.size < REMEMBERED_AGGREGATES / 2) return;
    this.#before = this.#recent;
    this.#recent = new Map();
  }

  isLate({ id, aggregateKey, order, scheduled }: OutgoingMessage): boolean {
    if (aggregateKey === null || scheduled) return false;
    if (this.#again.size > 0 && this.#again.has(id)) return false;
    if (this.#last === null || this.#compare(order, this.#last) > 0) return false;
    const last = this.#lastOf(aggregateKey);
    return last !== undefined && this.#compare(order, last) < 0;
  }

  /**
   * The message was published but could not be marked. It will be published again and is not late then, however often
   * it is claimed and given back. Beyond the limit on such messages, everything is forgotten.
   */
  comesAgain(id: string): void {
    if (this.#again.size >= REMEMBERED_MESSAGES) this.forget();
    this.#again.add(id);
  }

  /** Forgets all places, which are no longer comparable. */
  forget(): void {
    this.#again.clear();
    this.#last = null;
    this.#recent.clear();
    this.#before.clear();
  }

  #lastOf(key: string): OrderKey | undefined {
    return this.#recent.get(key) ?? (this.#before.size > 0 ? this.#before.get(key) : undefined);
  }
}
