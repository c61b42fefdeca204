import type { ItemFamily } from "../../port/item-family.ts";
import type { Link } from "../connection/link.ts";
import { nowText } from "./instant.ts";
import { type ItemsRead, readItems } from "./read-items.ts";

export type Reading = ItemsRead & {
  /** RFC 3339: when it began, by this process's clock. DynamoDB tells no time. */
  asOf: string;
};

/**
 * The items of one family for every page, count and fact. A reading is shared by those who ask at once, and used again
 * for as long as its capacity units take to flow into the budget: at once where it cost next to nothing.
 */
export class ItemSource {
  readonly #link: Link;
  readonly #family: ItemFamily;
  readonly #readers: number;
  #last: Reading | null = null;
  #untilMs = 0;
  #reading: Promise<Reading | null> | null = null;

  constructor(input: { link: Link; family: ItemFamily; readers: number }) {
    this.#link = input.link;
    this.#family = input.family;
    this.#readers = input.readers;
  }

  /** Null if the table does not exist. */
  async read(): Promise<Reading | null> {
    if (this.#last && performance.now() < this.#untilMs) return this.#last;
    this.#reading ??= this.#begin();
    return this.#reading;
  }

  /** What was read is no longer so: an operator has just changed it. */
  forget(): void {
    this.#last = null;
    this.#reading = null;
  }

  #begin(): Promise<Reading | null> {
    const asOf = nowText();
    const begun = readItems(this.#link, this.#family).then((read) => read && { ...read, asOf });
    const kept = begun.then((reading) => {
      if (this.#reading !== kept) return reading;
      this.#reading = null;
      this.#last = reading;
      this.#untilMs = performance.now() + (reading ? this.#link.budget.restMs(reading.units, this.#readers) : 0);
      return reading;
    });
    kept.catch(() => {
      if (this.#reading === kept) this.#reading = null;
    });
    return kept;
  }
}
