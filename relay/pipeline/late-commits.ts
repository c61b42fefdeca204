import type { OrderKey, OutgoingMessage } from "#db/outbox/relay-port.ts";

const REMEMBERED_AGGREGATES = 50_000;

/** Remembers how far each aggregate has gone out, to tell a message that was committed after a later one went out. */
export class LateCommits {
  readonly #compare: (left: OrderKey, right: OrderKey) => number;
  readonly #last = new Map<string, OrderKey>();

  constructor(compare: (left: OrderKey, right: OrderKey) => number) {
    this.#compare = compare;
  }

  wentOut({ aggregateKey, order }: OutgoingMessage): void {
    if (aggregateKey === null) return;
    const last = this.#last.get(aggregateKey);
    if (last && this.#compare(order, last) <= 0) return;
    this.#last.delete(aggregateKey);
    this.#last.set(aggregateKey, order);
    if (this.#last.size <= REMEMBERED_AGGREGATES) return;
    const oldest = this.#last.keys().next();
    if (!oldest.done) this.#last.delete(oldest.value);
  }

  isLate({ aggregateKey, order, scheduled }: OutgoingMessage): boolean {
    if (aggregateKey === null || scheduled) return false;
    const last = this.#last.get(aggregateKey);
    return last !== undefined && this.#compare(order, last) < 0;
  }
}
