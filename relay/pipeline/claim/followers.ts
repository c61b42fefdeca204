import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Watermark } from "../state/watermark.ts";
import type { WentBack } from "../state/went-back.ts";
import type { Withheld } from "../state/withheld.ts";
import { MAX_CLAIM_BYTES } from "./claim-capacity.ts";

/** Most aggregates of one claim; there may be 50,000, which are sorted once and then claimed in turns. */
const MOST_AT_ONCE = 2000;
/** An aggregate with more messages in memory waits. */
const ENOUGH = 100;
/** Delay before reads begin further back while there is no watermark, ms. */
const UNPLACED_MS = 250;
/** While new messages come, or none are found, claims take half of the time. */
const REST = 1;

interface Followed {
  key: string;
  from: OrderKey | null;
}

export interface FollowersState {
  lanes: Lanes;
  watermark: Watermark;
  withheld: Withheld;
  wentBack: WentBack;
}

/**
 * Claims the messages behind heads that failed and are resolved, and those of other aggregates that were withheld while
 * reads passed them. Reads leave these aggregates out until nothing of theirs is left before the watermark. Each claim
 * walks over a few thousand rows, so its time does not grow with what stays in the table, and all aggregates share one
 * walk.
 */
export class Followers {
  readonly #context: PipelineContext;
  readonly #state: FollowersState;
  readonly #limit: () => number;
  readonly #hasRoom: () => boolean;
  readonly #newOnesCome: () => boolean;
  readonly #accept: (claim: Claim) => void;
  #notBeforeMs = 0;
  /** Aggregates that wait for their turn in this round. */
  #round: string[] = [];

  constructor(
    context: PipelineContext,
    state: FollowersState,
    /**
     * `limit`: most messages of a claim. `hasRoom`: false while enough of them are in memory. `newOnesCome`: messages of
     * other aggregates are read, too.
     */
    events: {
      limit: () => number;
      hasRoom: () => boolean;
      newOnesCome: () => boolean;
      accept: (claim: Claim) => void;
    },
  ) {
    this.#context = context;
    this.#state = state;
    this.#limit = events.limit;
    this.#hasRoom = events.hasRoom;
    this.#newOnesCome = events.newOnesCome;
    this.#accept = events.accept;
  }

  /** Claims, if it is time to. Returns the wait until the next claim, ms; Infinity if nothing is to be claimed now. */
  async step(): Promise<number> {
    const { table } = this.#context;
    if (this.#state.withheld.followedCount === 0 || !table.claimFollowers) return Number.POSITIVE_INFINITY;
    const startedMs = performance.now();
    if (startedMs < this.#notBeforeMs) return this.#notBeforeMs - startedMs;
    if (!this.#hasRoom()) return Number.POSITIVE_INFINITY;
    const { position } = this.#state.watermark;
    if (this.#round.length === 0) this.#round = this.#open(position);
    const next = this.#take();
    if (position === null) this.#notBeforeMs = startedMs + UNPLACED_MS;
    if (next.length === 0 || position === null) return Number.POSITIVE_INFINITY;
    const claim = await this.#claim(table.claimFollowers, next, { before: position, limit: this.#limit() });
    if (claim) this.#accept(claim);
    const endedMs = performance.now();
    // The claimer reads and retries between any two claims. One that found nothing may have walked over many rows.
    const rests = claim === null || this.#newOnesCome();
    this.#notBeforeMs = endedMs + (rests ? (endedMs - startedMs) * REST : 0);
    return this.#notBeforeMs - endedMs;
  }

  /**
   * Claims one message, to probe a sink, of another aggregate than these; null if there is none among the next rows.
   */
  async claimOne(excluded: ReadonlySet<string>): Promise<Claim | null> {
    const { table } = this.#context;
    const { position } = this.#state.watermark;
    if (this.#state.withheld.followedCount === 0 || !table.claimFollowers) return null;
    this.#round = this.#open(position).filter((key) => !excluded.has(key));
    const next = this.#take();
    if (next.length === 0 || position === null) return null;
    return this.#claim(table.claimFollowers, next, { before: position, limit: 1 });
  }

  /**
   * The aggregates with rows to claim, in the order of their first rows. The rows of the other aggregates that reads
   * left out from here on are read again.
   */
  #open(position: OrderKey | null): string[] {
    const { watermark, withheld } = this.#state;
    const open: Followed[] = [];
    const passed: Followed[] = [];
    for (const one of withheld.followed()) {
      const isPassed = position === null || (one.from !== null && this.#compare(one.from, position) >= 0);
      (isPassed ? passed : open).push(one);
    }
    for (const { key, from } of passed) {
      withheld.free(key, "followed");
      watermark.rewind(from);
    }
    return open.sort((left, right) => this.#comparePlaces(left.from, right.from)).map(({ key }) => key);
  }

  /** The next aggregates of this round that are withheld for no other reason and have few messages in memory. */
  #take(): Followed[] {
    const { lanes, withheld } = this.#state;
    const taken: Followed[] = [];
    while (taken.length === 0 && this.#round.length > 0) {
      for (const key of this.#round.splice(0, MOST_AT_ONCE)) {
        if (withheld.isFollowed(key) && lanes.waiting(key) <= ENOUGH) taken.push({ key, from: withheld.leftFrom(key) });
      }
    }
    return taken;
  }

  async #claim(
    claimFollowers: NonNullable<RelayTable["claimFollowers"]>,
    next: Followed[],
    part: { before: OrderKey; limit: number },
  ): Promise<Claim | null> {
    const { lanes, withheld, wentBack } = this.#state;
    const after = next.reduce<OrderKey | null>(
      (least, { from }) => (this.#comparePlaces(from, least) < 0 ? from : least),
      next[0]?.from ?? null,
    );
    wentBack.begin();
    const { claim, reached } = await claimFollowers({
      lease: this.#context.lease,
      ...{ ...part, after, maxBytes: MAX_CLAIM_BYTES },
      aggregates: next.map(({ key }) => key),
      excludeIds: lanes.ids(after),
    });
    // The claim excluded messages that went back meanwhile: their aggregates are still read from those on.
    for (const { key } of next) if (!wentBack.has(key)) withheld.followedUpTo(key, reached);
    return claim;
  }

  #comparePlaces(left: OrderKey | null, right: OrderKey | null): number {
    if (left === null || right === null) return Number(right === null) - Number(left === null);
    return this.#compare(left, right);
  }

  #compare(left: OrderKey, right: OrderKey): number {
    return this.#context.table.compareOrder(left, right);
  }
}
