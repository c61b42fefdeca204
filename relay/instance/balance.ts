import type { ShareView } from "#db/stores/port/relay/share-view.ts";
import { PARTITIONS } from "#domain/relay/partitions.ts";

/** Ticks for which the members must stay the same before this instance gives up partitions. */
const STABLE_TICKS = 2;
/** Ticks for which partitions may stay free before instances below their quota are ignored. */
const PATIENCE_TICKS = 5;

/**
 * Number of partitions that `me` should own: an equal share, give or take one; the odd ones stay with those that own
 * most. It is a number, not a list, so that few partitions move: an instance with too many gives up any, one with too
 * few takes any free one.
 */
export function quotaOf(me: string, { members, owned }: Pick<ShareView, "members" | "owned">): number {
  const all = [...new Set([...members, me])];
  const has = (id: string) => owned.get(id) ?? 0;
  all.sort((left, right) => has(right) - has(left) || (left < right ? -1 : 1));
  const odd = PARTITIONS % all.length;
  return Math.floor(PARTITIONS / all.length) + (all.indexOf(me) < odd ? 1 : 0);
}

/** Decides on each tick whether to end the term and begin one with another number of partitions. */
export class Balance {
  readonly #me: string;
  #members = "";
  #ticks = 0;
  #unclaimedTicks = 0;
  /** Instances that did not take their share, with the number of partitions that they owned then. */
  readonly #idle = new Map<string, number>();

  constructor(me: string) {
    this.#me = me;
  }

  /** Number of partitions to own; null: no change. Takes free ones at once, gives up own ones after STABLE_TICKS. */
  next({ members: present, owned, free }: Pick<ShareView, "members" | "owned" | "free">): number | null {
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

  /**
   * Ignores members below their quota (an earlier release, or one that hangs), so that others take the free partitions.
   */
  #giveUpOn(view: Pick<ShareView, "members" | "owned">): void {
    this.#unclaimedTicks = 0;
    for (const id of view.members) {
      const has = view.owned.get(id) ?? 0;
      if (id !== this.#me && has < quotaOf(id, view)) this.#idle.set(id, has);
    }
  }
}
