import type { CompareOrder } from "#db/stores/port/relay/outgoing-message.ts";
import type { Watermark } from "./watermark.ts";
import type { Freed, Withheld, WithheldReason } from "./withheld.ts";

/**
 * Releases withheld aggregates. Reads have passed their rows. Reads that began further back would walk over all other
 * rows that stay in the table: behind 50,000 failed heads such a read took seconds, in which nothing new was published,
 * and the next released head made it begin again. So a released aggregate is followed: see Followers.
 */
export class Release {
  readonly #state: { watermark: Watermark; withheld: Withheld };
  readonly #compare: CompareOrder;
  readonly #follows: boolean;

  /** `follows`: the store can claim the rows of given aggregates. */
  constructor(state: { watermark: Watermark; withheld: Withheld }, compare: CompareOrder, follows: boolean) {
    this.#state = state;
    this.#compare = compare;
    this.#follows = follows;
  }

  /** Removes a reason. True if the aggregate is released. */
  free(key: string, reason: WithheldReason): boolean {
    return this.goOn(key, this.#state.withheld.free(key, reason));
  }

  goOn(key: string, freed: Freed | null): boolean {
    const { watermark, withheld } = this.#state;
    if (!freed) return false;
    const { position } = watermark;
    const isPassed = freed.from === null || (position !== null && this.#compare(freed.from, position) < 0);
    if (this.#follows && isPassed) withheld.follow(key, freed);
    else watermark.rewind(freed.from);
    return true;
  }
}
