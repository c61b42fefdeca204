import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { ReadBegun } from "../state/watermark.ts";
import type { Withheld } from "../state/withheld.ts";

/** Withheld aggregates that a read from the watermark is told of; others are told of all. */
const MOST_TOLD = 1000;
/** To meet a message in vain costs as much as to be told of so many aggregates. */
const KEYS_PER_MESSAGE = 100;

/**
 * Which of the withheld aggregates a read is told to leave out: to name all of thousands each time costs too much. What
 * reads have met in vain adds up, until naming all is the cheaper: 200,000 messages that stay behind the watermark would
 * otherwise be met a page at a time, and those behind them wait until all were.
 */
export class Exclusions {
  readonly #withheld: Withheld;
  /** Messages met in vain, less what it has cost since to name all: of reads from the watermark, and of those that go on ahead. */
  readonly #inVain = { watermark: 0, ahead: 0 };

  constructor(withheld: Withheld) {
    this.#withheld = withheld;
  }

  /** For the read that begins so. */
  above(begun: Pick<ReadBegun, "after" | "ahead">): string[] {
    const tellsAll = this.#inVain[kindOf(begun)] * KEYS_PER_MESSAGE > this.#withheld.size;
    return tellsAll ? this.#withheld.keys() : this.#withheld.keysAbove(begun.after, MOST_TOLD);
  }

  /** `told`: how many aggregates the read that brought these messages was told of. */
  noteRead(begun: Pick<ReadBegun, "ahead">, messages: readonly OutgoingMessage[], told: number): void {
    const kind = kindOf(begun);
    const { size } = this.#withheld;
    if (told >= size) {
      this.#inVain[kind] = Math.max(0, this.#inVain[kind] - size / KEYS_PER_MESSAGE);
      return;
    }
    const met = messages.filter(({ aggregateKey: key }) => key !== null && this.#withheld.stops(key)).length;
    // What was met before is behind these reads.
    this.#inVain[kind] = met === 0 ? 0 : this.#inVain[kind] + met;
  }
}

function kindOf({ ahead }: Pick<ReadBegun, "ahead">): "ahead" | "watermark" {
  return ahead ? "ahead" : "watermark";
}
