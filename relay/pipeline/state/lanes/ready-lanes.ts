import { type Lane, yields } from "./lane.ts";

/** While new messages and retried or followed ones wait, every fourth that is published is one of these. */
const NEW_FOR_ONE_YIELDING = 3;

/** The lanes that may publish now, in the order in which they became ready. */
export class ReadyLanes {
  readonly #fresh = new Set<Lane>();
  /** Those whose first message is retried or followed: thousands of these must not keep new messages waiting. */
  readonly #yielding = new Set<Lane>();
  #newTaken = 0;

  get size(): number {
    return this.#fresh.size + this.#yielding.size;
  }

  /**
   * Adds the lane if a message waits in it, none of it is with the sink, and none is being written as unsent or dead.
   */
  addIfFree(lane: Lane): void {
    const [head] = lane.queue;
    if (!head || lane.inFlight + lane.returning + lane.dying > 0) return;
    const [own, other] = yields(head) ? [this.#yielding, this.#fresh] : [this.#fresh, this.#yielding];
    if (other.size > 0) other.delete(lane);
    own.add(lane);
  }

  delete(lane: Lane): void {
    this.#fresh.delete(lane);
    if (this.#yielding.size > 0) this.#yielding.delete(lane);
  }

  /** Every ready lane, mostly new ones first. The caller deletes it or takes from it before it asks for the next. */
  *inTurn(): Generator<Lane> {
    const [fresh, yielding] = [this.#fresh.values(), this.#yielding.values()];
    let [first, again] = [fresh.next(), yielding.next()];
    while (!first.done || !again.done) {
      if (!first.done && (again.done || this.#newTaken < NEW_FOR_ONE_YIELDING)) {
        this.#newTaken += 1;
        yield first.value;
        first = fresh.next();
      } else if (!again.done) {
        this.#newTaken = 0;
        yield again.value;
        again = yielding.next();
      }
    }
  }
}
