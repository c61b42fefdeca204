import type { CompareOrder, OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";

/**
 * Messages that went back to the table, or to the queue of notices, during a claim. The claim excluded them, as they
 * were in memory when it began. Later messages that it found must not overtake them.
 */
export class WentBack {
  readonly #compare: CompareOrder;
  /** The first such message of each aggregate. */
  readonly #first = new Map<string, OrderKey>();

  constructor(compare: CompareOrder) {
    this.#compare = compare;
  }

  /** A claim begins; there is one at a time. */
  begin(): void {
    this.#first.clear();
  }

  note(aggregateKey: string, order: OrderKey): void {
    const first = this.#first.get(aggregateKey);
    if (!first || this.#compare(order, first) < 0) this.#first.set(aggregateKey, order);
  }

  has(aggregateKey: string): boolean {
    return this.#first.has(aggregateKey);
  }

  isBefore({ aggregateKey, order }: Pick<OutgoingMessage, "aggregateKey" | "order">): boolean {
    const first = aggregateKey === null ? undefined : this.#first.get(aggregateKey);
    return first !== undefined && this.#compare(first, order) < 0;
  }
}
