import type { Held } from "../state/lanes.ts";
import type { Suspect } from "./ambiguous-failures.ts";
import type { Tried } from "./consequences.ts";

/** Number of times that the sink may fail during a message before the message is suspected of taking it down. */
const FALLS_FORGIVEN = 2;
/** Most messages counted; above it all are forgotten. */
const MOST_REMEMBERED = 10_000;

/**
 * Counts by message id how often the sink went away while it had a message, refused it while others got through, or was
 * thought to be down because of it until another got through.
 */
export class Falls {
  readonly #remembered: Map<string, number>;

  /** The map outlives a term. */
  constructor(remembered: Map<string, number>) {
    this.#remembered = remembered;
  }

  /** Counts one fall for each; returns those whose number may still be chance, and the others. */
  count(suspects: readonly Suspect<Tried>[]): [innocent: Suspect<Tried>[], guilty: Suspect<Tried>[]] {
    if (this.#remembered.size > MOST_REMEMBERED) this.#remembered.clear();
    const [innocent, guilty] = [[] as Suspect<Tried>[], [] as Suspect<Tried>[]];
    for (const suspect of suspects) {
      const { held } = suspect.subject;
      this.#remembered.set(held.message.id, (this.#remembered.get(held.message.id) ?? 0) + 1);
      (this.exceed(held) ? guilty : innocent).push(suspect);
    }
    return [innocent, guilty];
  }

  /** True if the message has fallen too often: one more failure says nothing about the sink. */
  exceed({ message }: Held): boolean {
    return (this.#remembered.get(message.id) ?? 0) > FALLS_FORGIVEN;
  }

  has({ message }: Held): boolean {
    return this.#remembered.has(message.id);
  }

  /** Falls of a message that was counted. */
  of({ message }: Held): number {
    return this.#remembered.get(message.id) ?? 1;
  }
}
