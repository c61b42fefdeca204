import { eventLoopLooked } from "../shared-link.ts";
import type { PublishOutcome } from "../sink.ts";
import type { Prepared } from "./envelope.ts";

export interface Unconfirmed {
  readonly id: string;
  readonly prepared: Prepared;
  readonly sentAtMs: number;
  readonly resolve: (outcome: PublishOutcome) => void;
  confirmed: boolean;
  /** Why the broker returned it. */
  returned: string | undefined;
}

/** Messages of one connection that were sent and have no outcome yet, in the order of sending. */
export class UnconfirmedMessages {
  readonly #entries = new Set<Unconfirmed>();
  readonly #timeoutMs: number;
  readonly #onLate: (entry: Unconfirmed) => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onLate` is called for each message that waited for `timeoutMs`, and must settle it. */
  constructor(timeoutMs: number, onLate: (entry: Unconfirmed) => void) {
    this.#timeoutMs = timeoutMs;
    this.#onLate = onLate;
  }

  get size(): number {
    return this.#entries.size;
  }

  add(id: string, prepared: Prepared, resolve: (outcome: PublishOutcome) => void): Unconfirmed {
    const entry = { id, prepared, sentAtMs: performance.now(), resolve, confirmed: false, returned: undefined };
    this.#entries.add(entry);
    if (this.#timer === undefined) this.#lookIn(this.#timeoutMs);
    return entry;
  }

  settle(entry: Unconfirmed, outcome: PublishOutcome): void {
    this.#entries.delete(entry);
    entry.resolve(outcome);
  }

  settleAll(outcome: PublishOutcome): void {
    for (const entry of this.#entries) this.settle(entry, outcome);
  }

  /** Messages for which the broker sent neither a confirmation nor a return. */
  get unanswered(): Unconfirmed[] {
    return [...this.#entries].filter(({ confirmed }) => !confirmed);
  }

  /**
   * Messages are returned in the order of sending, without a delivery tag. Several may have the same id: one that was
   * sent again after an abort, or different messages where the mapped column is not unique.
   */
  returned(id: string | undefined, routingKey: string, replyText: string): void {
    let found: Unconfirmed | undefined;
    for (const entry of this.#entries) {
      if (entry.id !== id || entry.returned !== undefined) continue;
      found ??= entry;
      if (entry.prepared.envelope.routingKey !== routingKey) continue;
      found = entry;
      break;
    }
    if (found) found.returned = explainReturn(found.prepared, replyText);
  }

  /**
   * One timer, for the oldest message: the others expire later. The connection keeps the process alive, not the timer.
   */
  #lookIn(ms: number): void {
    const look = () => this.#look();
    this.#timer = setTimeout(() => void eventLoopLooked().then(look), Math.ceil(ms)).unref();
  }

  #look(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (const entry of this.#entries) {
      const leftMs = entry.sentAtMs + this.#timeoutMs - nowMs;
      if (leftMs > 0) {
        this.#lookIn(leftMs);
        return;
      }
      this.#onLate(entry);
    }
  }
}

function explainReturn({ envelope: { exchange, routingKey } }: Prepared, replyText: string): string {
  const where =
    exchange === "" ? "There is no queue named" : `No queue of the exchange "${exchange}" takes the routing key`;
  return `${where} "${routingKey}" (${replyText}).`;
}
