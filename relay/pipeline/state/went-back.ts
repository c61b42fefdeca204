import type { OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";

/**
 * What went back to the table, or among the notices of the log, while a claim was under way. The claim left it out,
 * because it was in memory when it began: what it found behind it must not overtake it.
 */
export class WentBack {
  readonly #compare: (left: OrderKey, right: OrderKey) => number;
  /** The first of each aggregate. */
  readonly #first = new Map<string, OrderKey>();

  constructor(compare: (left: OrderKey, right: OrderKey) => number) {
    this.#compare = compare;
  }

  /** A claim is under way from now on; there is one at a time. */
  begin(): void {
    this.#first.clear();
  }

  note(aggregateKey: string, order: OrderKey): void {
    const first = this.#first.get(aggregateKey);
    if (!first || this.#compare(order, first) < 0) this.#first.set(aggregateKey, order);
  }

  isBefore({ aggregateKey, order }: Pick<OutgoingMessage, "aggregateKey" | "order">): boolean {
    const first = aggregateKey === null ? undefined : this.#first.get(aggregateKey);
    return first !== undefined && this.#compare(first, order) < 0;
  }
}
