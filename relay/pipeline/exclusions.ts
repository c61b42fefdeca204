import type { OrderKey, OutgoingMessage } from "#db/outbox/outgoing-message.ts";
import type { Withheld } from "./withheld.ts";

/** Withheld aggregates that a read from the mark is told of; others are told of all. */
const MOST_TOLD = 1000;
/** To meet a message in vain costs as much as to be told of so many aggregates. */
const KEYS_PER_MESSAGE = 100;
/** A claim of which too much is given back at once met too many others: for a while reads are told of all. */
const ALL_TOLD_MS = 2000;

/** Which of the withheld aggregates a read is told to leave out: to name all of thousands each time costs too much. */
export class Exclusions {
  readonly #withheld: Withheld;
  #allUntilMs = 0;

  constructor(withheld: Withheld) {
    this.#withheld = withheld;
  }

  /** For a read that begins at `after`. */
  above(after: OrderKey | null, nowMs: number): string[] {
    return nowMs < this.#allUntilMs ? this.#withheld.keys() : this.#withheld.keysAbove(after, MOST_TOLD);
  }

  /** `told`: how many aggregates the read that brought these messages was told of. */
  noteRead(messages: readonly OutgoingMessage[], told: number, nowMs: number): void {
    if (this.#withheld.size <= told) return;
    const wasted = messages.filter(({ aggregateKey: key }) => key !== null && this.#withheld.stops(key)).length;
    if (wasted * KEYS_PER_MESSAGE > this.#withheld.size) this.#allUntilMs = nowMs + ALL_TOLD_MS;
  }
}
