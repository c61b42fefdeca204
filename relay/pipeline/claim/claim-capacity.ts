import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { ClaimedMessage } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { ClaimerState } from "./claimer-state.ts";

type CapacityState = Pick<ClaimerState, "lanes" | "withheld" | "release" | "feed">;

/** Limit of payloads and headers in one claim, bytes. */
export const MAX_CLAIM_BYTES = 16 * 1024 * 1024;
/** Limit of payloads and headers in memory, characters. */
const MAX_BYTES = 64 * 1024 * 1024;
const MOST_MESSAGES = 5000;
/** Batches that may be in memory, counting unwritten outcomes, when the next claim is read. */
const SETTLE_AHEAD = 4;
const CROWD = 200;

/** Limits the messages in memory, and keeps one aggregate from using the whole limit. */
export class ClaimCapacity {
  readonly #context: PipelineContext;
  readonly #state: CapacityState;
  readonly #mostAtOnce: () => number;
  readonly #giveBack: (messages: ClaimedMessage[]) => void;
  /** Messages of the largest claim that leaves each aggregate room, if claims go on like the one last noted. */
  #roomy = 0;

  constructor(
    context: PipelineContext,
    state: CapacityState,
    /** `mostAtOnce`: most messages in memory; few for a while after a relay died. */
    events: { mostAtOnce: () => number; giveBack: (messages: ClaimedMessage[]) => void },
  ) {
    this.#context = context;
    this.#state = state;
    this.#mostAtOnce = events.mostAtOnce;
    this.#giveBack = events.giveBack;
  }

  /** Most messages of one claim. */
  get limit(): number {
    return this.limitOf(1);
  }

  /**
   * The same for a read of several batches, limited so that one aggregate leaves room for others: its further messages
   * would go back and be read again, with another scan.
   */
  limitOf(batches: number): number {
    const { batchSize } = this.#context.settings;
    return Math.min(batchSize * batches, Math.max(batchSize, this.#roomy), this.#mostAtOnce());
  }

  /**
   * Notes how a full claim is shared among aggregates. Counts each message, so only for reads that may take several
   * batches.
   */
  noteRoom(claim: Claim): void {
    this.#roomy = roomyLimit(claim);
  }

  /**
   * True if the next claim may be read: when the sink or the settler may run dry, and also when much is in memory but
   * in few ready lanes, so that those few do not keep the others waiting.
   */
  get isLeft(): boolean {
    const { lanes } = this.#state;
    const { batchSize, concurrency } = this.#context.settings;
    if (lanes.bytes >= MAX_BYTES || lanes.size >= this.#mostAtOnce()) return false;
    if (lanes.queued < batchSize) return lanes.size <= batchSize * SETTLE_AHEAD;
    return lanes.readyCount < concurrency && lanes.size + batchSize <= this.#most;
  }

  /** Excludes aggregates with many messages in memory from the next claims, to leave room for others. */
  crowd(claim: Claim): void {
    const { lanes, withheld, feed } = this.#state;
    // Without a table the messages can stay only in memory.
    if (feed?.alone) return;
    // A lane has at most all waiting messages, less one for each other lane that is ready.
    const isCrowded = lanes.queued - lanes.readyCount >= CROWD;
    for (const { aggregateKey, order } of isCrowded ? claim.messages : []) {
      // A followed aggregate is read no further until it has caught up.
      if (aggregateKey === null || withheld.isWithheldFor(aggregateKey, "followed")) continue;
      if (lanes.waiting(aggregateKey) > CROWD) withheld.crowd(aggregateKey, order);
    }
    if (lanes.size > this.#most / 2) {
      this.#giveBack(withheld.crowdedKeys().flatMap((key) => lanes.surplus(key, CROWD)));
    }
  }

  /** Call before each read: aggregates that have caught up are read again. */
  uncrowd(): void {
    const { lanes, withheld, release } = this.#state;
    for (const key of withheld.crowdedKeys()) if (lanes.waiting(key) <= CROWD / 2) release.free(key, "crowded");
  }

  get #most(): number {
    return Math.max(MOST_MESSAGES, this.#context.settings.batchSize * 4);
  }
}

/** An aggregate may have as many in memory already. */
function roomyLimit({ messages }: Claim): number {
  const counts = new Map<string, number>();
  for (const { aggregateKey } of messages)
    if (aggregateKey !== null) counts.set(aggregateKey, (counts.get(aggregateKey) ?? 0) + 1);
  const largest = Math.max(1, ...counts.values());
  return Math.floor((messages.length * CROWD) / 2 / largest);
}
