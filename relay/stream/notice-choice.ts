import type { Horizon } from "#db/stores/port/relay/claim.ts";
import type { Notice } from "#db/stores/port/relay/relay-stream.ts";
import { isSameOrder } from "./acknowledgements.ts";
import type { FeedState } from "./feed-state.ts";
import type { StreamSource } from "./stream-source.ts";

/** Limit of one claim's bytes, as sized in the stream. */
const MAX_CLAIM_BYTES = 16 * 1024 * 1024;

/** Decides which notices are claimed now, which are dropped because they need no claim, and which have to wait. */
export class NoticeChoice {
  readonly #source: StreamSource;
  readonly #state: FeedState;
  readonly #alone: boolean;
  readonly #blocks: boolean;

  constructor(input: {
    source: StreamSource;
    state: FeedState;
    /** True if no table is read. */
    alone: boolean;
    /** True if a failed message blocks its aggregate. */
    blocks: boolean;
  }) {
    this.#source = input.source;
    this.#state = input.state;
    this.#alone = input.alone;
    this.#blocks = input.blocks;
  }

  /**
   * Takes up to `limit` notices to claim, in order. `read`: horizon of the last complete read of the table. That read
   * saw the rows of all transactions that had ended by then, so their notices are dropped.
   */
  take(limit: number, read: Horizon | null): Notice[] {
    const { lanes } = this.#state;
    const waiting = new Set<string>();
    const seen = new Set<string>();
    let [count, bytes] = [0, 0];
    const taken = this.#source.take(({ notice }) => {
      if (count >= limit || (count > 0 && bytes + notice.bytes > MAX_CLAIM_BYTES)) return "end";
      const verdict = this.#alone ? this.#judgeAlone(notice, waiting, seen) : this.#judge(notice, read);
      if (verdict !== "take") return verdict;
      count += 1;
      bytes += notice.bytes;
      return "take";
    });
    // Messages in memory need no claim: their settle completes the notice.
    return taken.filter(({ id }) => !lanes.has(id));
  }

  #judge({ id, aggregateKey, order, transaction }: Notice, read: Horizon | null): "take" | "drop" {
    const { lanes, withheld } = this.#state;
    if (lanes.has(id)) return "take";
    if (read?.hasEnded(transaction)) return "drop";
    if (aggregateKey === null || !withheld.has(aggregateKey)) return "take";
    withheld.note(aggregateKey, order);
    return "drop";
  }

  /** `waiting`: aggregates with an earlier notice that was left in the queue. `seen`: ids of earlier notices. */
  #judgeAlone(notice: Notice, waiting: Set<string>, seen: Set<string>): "take" | "drop" | "leave" {
    const { lanes, withheld } = this.#state;
    const { id, aggregateKey: key } = notice;
    if (this.#source.wasSettled(notice)) return "drop";
    const isNext = !seen.has(id) && this.#isNext(notice);
    seen.add(id);
    if (!isNext) {
      if (key !== null) waiting.add(key);
      return "leave";
    }
    if (lanes.has(id)) return "take";
    if (key === null) return this.waits(notice) ? "leave" : "take";
    // Otherwise it waits: its head has failed and is undecided, or it is about to be parked.
    if (!waiting.has(key) && !withheld.stops(key) && !this.waits(notice)) return "take";
    waiting.add(key);
    return "leave";
  }

  /**
   * False while an earlier message of its id is being sent or waits for a retry, because both are known by their ids.
   */
  #isNext({ id, order }: Notice): boolean {
    const { lanes, retries } = this.#state;
    if (lanes.has(id)) return lanes.has(id, order);
    return !retries.has(id) || isSameOrder(retries.orderOf(id), order);
  }

  /** True if it is paused, its route is at fault, or a message of its aggregate has failed or is parked. */
  waits({ aggregateKey: key, message }: Notice): boolean {
    const { pauses, retries, routes } = this.#state;
    if (message && (pauses.covers(message) || routes.openRouteOf(message))) return true;
    return key !== null && this.#blocks && retries.blocks(key);
  }
}
