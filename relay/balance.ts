import type { ShareView } from "#db/outbox/relay-port.ts";
import { PARTITIONS } from "#domain/partitions.ts";

/** An instance must have been seen so often before a live partition is given up for it. */
const STABLE_TICKS = 2;

/**
 * How many partitions an instance should have: all have the same number, give or take one, and those that have more
 * already keep the odd one. A number and not a list: who has too many gives up any, who has too few takes any that is
 * free, so that as little as possible moves.
 */
export function quotaOf(me: string, { members, owned }: Pick<ShareView, "members" | "owned">): number {
  const all = [...new Set([...members, me])];
  const has = (id: string) => owned.get(id) ?? 0;
  all.sort((left, right) => has(right) - has(left) || (left < right ? -1 : 1));
  const odd = PARTITIONS % all.length;
  return Math.floor(PARTITIONS / all.length) + (all.indexOf(me) < odd ? 1 : 0);
}

/** Decides, tick by tick, whether a term should end for one over another number of partitions. */
export class Balance {
  readonly #me: string;
  #members = "";
  #ticks = 0;

  constructor(me: string) {
    this.#me = me;
  }

  /** The number to have; null when nothing has to change. What is free is taken at once, what lives waits for a second look. */
  next(view: ShareView): number | null {
    const members = [...view.members].sort().join("\n");
    this.#ticks = members === this.#members ? this.#ticks + 1 : 1;
    this.#members = members;
    const quota = quotaOf(this.#me, view);
    const has = view.owned.get(this.#me) ?? 0;
    if (has < quota && view.free > 0) return quota;
    return has > quota && this.#ticks >= STABLE_TICKS ? quota : null;
  }
}
