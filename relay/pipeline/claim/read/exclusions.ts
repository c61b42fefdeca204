import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { ReadBegun } from "../../state/watermark.ts";
import type { Withheld } from "../../state/withheld.ts";

/** Most withheld keys, besides crowded ones, that a read sends unless it sends all. */
const MOST_TOLD = 1000;
/** Cost of reading one excluded row, measured in excluded keys sent as parameters. */
const KEYS_PER_MESSAGE = 100;

/**
 * Decides which withheld keys a read excludes. Sending thousands with each read costs too much, so withheld rows that
 * reads return are counted; once they cost more than sending all keys, all are sent. Otherwise 200,000 withheld
 * messages would be read a page at a time, and those behind them would wait.
 */
export class Exclusions {
  readonly #withheld: Withheld;
  /** Withheld rows that reads returned, less the cost of sending all keys since; by kind of read. */
  readonly #inVain = { watermark: 0, ahead: 0 };

  constructor(withheld: Withheld) {
    this.#withheld = withheld;
  }

  /** Keys to exclude from the read `begun`. */
  above(begun: Pick<ReadBegun, "after" | "ahead">): string[] {
    const tellsAll = this.#inVain[kindOf(begun)] * KEYS_PER_MESSAGE > this.#withheld.size;
    return tellsAll ? this.#withheld.keys() : this.#withheld.keysAbove(begun.after, MOST_TOLD);
  }

  /** `told`: number of keys that were sent to the read that returned these messages. */
  noteRead(begun: Pick<ReadBegun, "ahead">, messages: readonly OutgoingMessage[], told: number): void {
    const kind = kindOf(begun);
    const { size } = this.#withheld;
    if (told >= size) {
      this.#inVain[kind] = Math.max(0, this.#inVain[kind] - size / KEYS_PER_MESSAGE);
      return;
    }
    const met = messages.filter(({ aggregateKey: key }) => key !== null && this.#withheld.stops(key)).length;
    // A read that returned none is past the rows counted before.
    this.#inVain[kind] = met === 0 ? 0 : this.#inVain[kind] + met;
  }
}

function kindOf({ ahead }: Pick<ReadBegun, "ahead">): "ahead" | "watermark" {
  return ahead ? "ahead" : "watermark";
}
