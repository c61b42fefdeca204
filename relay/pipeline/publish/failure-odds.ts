/** Weight of one outcome in the share of failures: the last few hundred count. */
const WEIGHT = 0.01;
/** If messages that fail on their own cause a run of failures this rarely, the sink is at fault. */
const CHANCE = 1e-5;
/** Failures in a row that it takes if hardly any message fails. A second without a success suffices, too. */
const FEWEST = 3;
/**
 * Above this share of failures only such a second shows that the sink is at fault, because a thousand fail within one
 * batch.
 */
const MOST_SHARE = 0.9;
const DOUBTED = 0.99;

/**
 * How many failures in a row show that the sink is at fault. Where one message in five fails on its own, three in a row
 * occur every second; blaming the sink each time would make the deliverable messages wait with the rest.
 */
export class FailureOdds {
  #share = 0;
  #run = 0;

  /** A message got through. */
  worked(): void {
    if (this.#run > 0) this.#share = 1 - (1 - this.#share) * (1 - WEIGHT) ** this.#run;
    this.#run = 0;
    this.#share *= 1 - WEIGHT;
  }

  failed(): void {
    this.#run += 1;
  }

  /**
   * The sink was blamed for errors that it had answered, and another message got through: the messages may be at fault.
   */
  doubt(): void {
    this.#run = 0;
    this.#share = DOUBTED;
  }

  /** True if a few failures in a row are no evidence against the sink. */
  get areDoubted(): boolean {
    return this.needed > FEWEST;
  }

  get needed(): number {
    if (this.#share > MOST_SHARE) return Number.POSITIVE_INFINITY;
    return this.#share > 0 ? Math.max(FEWEST, Math.ceil(Math.log(CHANCE) / Math.log(this.#share))) : FEWEST;
  }
}
