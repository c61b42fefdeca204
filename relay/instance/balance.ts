import type { ShareView } from "#db/stores/port/relay/share-view.ts";
import { PARTITIONS } from "#domain/partitions.ts";

/** An instance must have been seen so often before a live partition is given up for it. */
const STABLE_TICKS = 2;
/** An instance that leaves what is free and its to take for so long is not waited for any more. */
const PATIENCE_TICKS = 5;

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
  #unclaimedTicks = 0;
  /** Instances that did not take their share, and what they had then. */
  readonly #idle = new Map<string, number>();

  constructor(me: string) {
    this.#me = me;
  }

  /** The number to have; null when nothing has to change. What is free is taken at once, what lives waits for a second look. */
  next({ members: present, owned, free }: ShareView): number | null {
    for (const [id, had] of this.#idle) {
      if (!present.includes(id) || (owned.get(id) ?? 0) !== had) this.#idle.delete(id);
    }
    const view = { members: present.filter((id) => !this.#idle.has(id)), owned };
    const members = [...view.members].sort().join("\n");
    this.#ticks = members === this.#members ? this.#ticks + 1 : 1;
    this.#members = members;
    const quota = quotaOf(this.#me, view);
    const has = owned.get(this.#me) ?? 0;
    if (has < quota && free > 0) return quota;
    this.#unclaimedTicks = free > 0 ? this.#unclaimedTicks + 1 : 0;
    if (this.#unclaimedTicks >= PATIENCE_TICKS) this.#giveUpOn(view);
    return has > quota && this.#ticks >= STABLE_TICKS ? quota : null;
  }

  /** One of an earlier release, or one that hangs: its messages must not wait for it. */
  #giveUpOn(view: Pick<ShareView, "members" | "owned">): void {
    this.#unclaimedTicks = 0;
    for (const id of view.members) {
      const has = view.owned.get(id) ?? 0;
      if (id !== this.#me && has < quotaOf(id, view)) this.#idle.set(id, has);
    }
  }
}
