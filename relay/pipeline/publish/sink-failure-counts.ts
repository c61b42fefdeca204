import type { ClaimedMessage } from "../state/lanes/lanes.ts";
import type { Tried } from "./consequences.ts";
import type { UndecidedFailure } from "./undecided-failures.ts";

/** Number of times that the sink may fail during a message before the message is suspected of taking it down. */
const MOST_BY_CHANCE = 2;
/** Most messages counted; above it all are forgotten. */
const MOST_REMEMBERED = 10_000;

/**
 * Counts by message id how often the sink went away while it had a message, refused it while others got through, or was
 * thought to be down because of it until another got through.
 */
export class SinkFailureCounts {
  readonly #remembered: Map<string, number>;

  /** The map outlives a term. */
  constructor(remembered: Map<string, number>) {
    this.#remembered = remembered;
  }

  /** Counts one for each; returns those with so few that it may be chance, and the others. */
  count(
    failures: readonly UndecidedFailure<Tried>[],
  ): [seldom: UndecidedFailure<Tried>[], often: UndecidedFailure<Tried>[]] {
    if (this.#remembered.size > MOST_REMEMBERED) this.#remembered.clear();
    const [seldom, often] = [[] as UndecidedFailure<Tried>[], [] as UndecidedFailure<Tried>[]];
    for (const failure of failures) {
      const { claimed } = failure.subject;
      this.#remembered.set(claimed.message.id, (this.#remembered.get(claimed.message.id) ?? 0) + 1);
      (this.exceed(claimed) ? often : seldom).push(failure);
    }
    return [seldom, often];
  }

  /** True if it happened to the message too often: one more failure says nothing about the sink. */
  exceed({ message }: ClaimedMessage): boolean {
    return (this.#remembered.get(message.id) ?? 0) > MOST_BY_CHANCE;
  }

  has({ message }: ClaimedMessage): boolean {
    return this.#remembered.has(message.id);
  }

  /** The count of a message that was counted before. */
  of({ message }: ClaimedMessage): number {
    return this.#remembered.get(message.id) ?? 1;
  }
}
