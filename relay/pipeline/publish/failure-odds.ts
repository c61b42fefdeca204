/** Weight of one outcome in the share of failures: the last few hundred count. */
const WEIGHT = 0.01;
/** A run of failures that messages of their own explain as rarely as this shows that the sink is at fault. */
const CHANCE = 1e-5;
/** Failures that show it where hardly any message fails, and where most do. A second without a success shows it, too. */
const FEWEST = 3;
const MOST = 1000;
/** With this share of failures nothing but a second without a success shows that the sink is at fault. */
const DOUBTED = 0.99;

/**
 * How many failures in a row show that the sink is at fault. Where one message in five fails on its own, three in a row
 * come every second: the breaker opened each time, and what could be delivered waited with the rest.
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

  /** The sink was blamed for errors that it had answered, and another message got through: the messages may be at fault. */
  doubt(): void {
    this.#run = 0;
    this.#share = DOUBTED;
  }

  get needed(): number {
    const needed = Math.ceil(Math.log(CHANCE) / Math.log(this.#share));
    return Math.min(MOST, Math.max(FEWEST, Number.isFinite(needed) ? needed : FEWEST));
  }
}
