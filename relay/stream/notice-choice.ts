import type { Horizon } from "#db/stores/port/relay/claim.ts";
import type { Notice } from "#db/stores/port/relay/relay-stream.ts";
import type { FeedState } from "./feed-state.ts";
import type { StreamSource } from "./stream-source.ts";

/** Payloads of one claim, as they are in the stream. */
const MAX_CLAIM_BYTES = 16 * 1024 * 1024;

/** Tells which of the notices may be claimed now, which need no claim any more, and which have to wait. */
export class NoticeChoice {
  readonly #source: StreamSource;
  readonly #state: FeedState;
  readonly #alone: boolean;
  readonly #blocks: boolean;

  constructor(input: {
    source: StreamSource;
    state: FeedState;
    /** No table is read. */
    alone: boolean;
    /** A failed message blocks its aggregate. */
    blocks: boolean;
  }) {
    this.#source = input.source;
    this.#state = input.state;
    this.#alone = input.alone;
    this.#blocks = input.blocks;
  }

  /**
   * Up to `limit` notices, in order, of messages that are not known to be somebody else's business. What
   * transactions had written that ended before `read` was seen by that complete read of the table.
   */
  take(limit: number, read: Horizon | null): Notice[] {
    const { lanes } = this.#state;
    const waiting = new Set<string>();
    let [count, bytes] = [0, 0];
    const taken = this.#source.take(({ notice }) => {
      if (count >= limit || (count > 0 && bytes + notice.bytes > MAX_CLAIM_BYTES)) return "end";
      const verdict = this.#alone ? this.#judgeAlone(notice, waiting) : this.#judge(notice, read);
      if (verdict !== "take") return verdict;
      count += 1;
      bytes += notice.bytes;
      return "take";
    });
    // Of those in memory their settle will tell.
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

  /** `waiting`: aggregates of which an earlier notice was left where it is. */
  #judgeAlone(notice: Notice, waiting: Set<string>): "take" | "drop" | "leave" {
    const { lanes, withheld } = this.#state;
    const { id, aggregateKey: key } = notice;
    if (this.#source.wasSettled(notice)) return "drop";
    if (lanes.has(id)) return "take";
    if (key === null) return this.waits(notice) ? "leave" : "take";
    // Its head has failed and nobody knows yet what comes of it, or it is to be parked in a moment.
    if (!waiting.has(key) && !withheld.stops(key) && !this.waits(notice)) return "take";
    waiting.add(key);
    return "leave";
  }

  /** It is paused, its route is at fault, or waits behind a message that failed or is kept in the store side. */
  waits({ aggregateKey: key, message }: Notice): boolean {
    const { pauses, retries, routes } = this.#state;
    if (message && (pauses.covers(message) || routes.holding(message))) return true;
    return key !== null && this.#blocks && retries.blocks(key);
  }
}
