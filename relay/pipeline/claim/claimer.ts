import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { OutcomeHandler } from "../publish/outcome-handler.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { Waker } from "../state/waker.ts";
import { type ClaimCapacity, MAX_CLAIM_BYTES } from "./claim-capacity.ts";
import { ClaimPacing } from "./claim-pacing.ts";
import type { ClaimerState, ClaimKind } from "./claimer-state.ts";
import { Followers } from "./followers.ts";
import { BUSY_POLL_MS, IDLE_POLL_MS } from "./poll-intervals.ts";
import { Prober } from "./prober.ts";
import { NewRows } from "./read/new-rows.ts";
import { ReadRest } from "./read/read-rest.ts";
import type { TypeSkipEvents } from "./read/type-skip.ts";

/** Most retried messages of one claim while new ones come; the next waits until half of them are with the sink. */
const MOST_RETRIED = 32;
/** The same for followed messages. */
const MOST_FOLLOWED = 256;

/** Reads the outbox and claims messages, one claim at a time, ahead of publishing. */
export class Claimer {
  readonly #context: PipelineContext;
  readonly #state: ClaimerState;
  readonly #accept: (claim: Claim, kind: ClaimKind, stale?: boolean) => void;
  readonly #mayClaim: () => boolean;
  readonly #settleFails: () => boolean;
  readonly #capacity: ClaimCapacity;
  readonly #skipsRetry: (id: string) => boolean;
  readonly #outcomes: Pick<OutcomeHandler, "nothingElse" | "wantsEvidence" | "beginEvidence" | "foundEvidence">;
  readonly #probeRoutes: (nowMs: number) => Promise<number>;
  readonly #onError: (error: unknown, times: number) => void;
  readonly #waker = new Waker();
  #stopped = false;
  readonly #pacing = new ClaimPacing(performance.now());
  readonly #rest: ReadRest;
  readonly #newRows: NewRows;
  readonly #prober: Prober;
  readonly #followers: Followers;
  #waitsForRoom = false;
  /** Retries are due, and enough of them are in memory. */
  #retriesWait = false;
  #waitMs = 0;
  #hinted = false;

  constructor(
    context: PipelineContext,
    state: ClaimerState,
    capacity: ClaimCapacity,
    events: {
      /** `stale`: a message that may precede these was committed meanwhile. */
      accept: (claim: Claim, kind: ClaimKind, stale?: boolean) => void;
      mayClaim: () => boolean;
      /** True while outcomes cannot be written to the store. */
      settleFails: () => boolean;
      /** True for a failed message that must not be claimed although it is due. */
      skipsRetry: (id: string) => boolean;
      /** Claims messages that probe routes at fault; returns the wait until the next probe, ms. */
      probeRoutes: (nowMs: number) => Promise<number>;
      types: TypeSkipEvents;
      outcomes: Pick<OutcomeHandler, "nothingElse" | "wantsEvidence" | "beginEvidence" | "foundEvidence">;
      /** `times`: errors in a row. */
      onError: (error: unknown, times: number) => void;
    },
  ) {
    this.#context = context;
    this.#state = state;
    this.#capacity = capacity;
    this.#accept = events.accept;
    this.#mayClaim = events.mayClaim;
    this.#settleFails = events.settleFails;
    this.#skipsRetry = events.skipsRetry;
    this.#outcomes = events.outcomes;
    this.#probeRoutes = events.probeRoutes;
    this.#onError = events.onError;
    this.#rest = new ReadRest(state.watermark);
    this.#newRows = new NewRows(context, state, {
      ...{ capacity, pacing: this.#pacing, types: events.types, mayClaim: events.mayClaim },
      accept: (claim, stale) => events.accept(claim, "new", stale),
      works: () => this.#noteWorks(),
      wake: () => this.wake(),
    });
    this.#followers = new Followers(context, state, {
      limit: () => (this.#newOnesCome ? Math.min(capacity.limit, MOST_FOLLOWED) : capacity.limit),
      newOnesCome: () => this.#newOnesCome,
      hasRoom: () => !this.#newOnesCome || state.lanes.queuedFollowed <= MOST_FOLLOWED / 2,
      accept: (claim) => events.accept(claim, "followed"),
    });
    this.#prober = new Prober(context, state, {
      request: (excluded) => this.#newRows.request(null, excluded, []),
      accept: events.accept,
      followers: this.#followers,
      outcomes: events.outcomes,
      probeRoutes: events.probeRoutes,
    });
  }

  wake(): void {
    this.#rest.end();
    this.#waker.wake();
  }

  /** Shortens the wait to that of a busy relay, not to zero: a flood of hints must not become a flood of reads. */
  hint(): void {
    this.#hinted = true;
    this.#rest.end();
    if (this.#waitMs > BUSY_POLL_MS) this.#waker.wake();
  }

  /** Memory has room again: a claimer that waited for room reads at once, others keep their poll interval. */
  wakeForRoom(): void {
    if ((this.#waitsForRoom && this.#capacity.isLeft) || (this.#retriesWait && this.#hasRoomForRetries))
      this.#waker.wake();
  }

  get #hasRoomForRetries(): boolean {
    return this.#newOnesCome ? this.#state.lanes.queuedRetried <= MOST_RETRIED / 2 : this.#capacity.isLeft;
  }

  get #newOnesCome(): boolean {
    return this.#pacing.isComing(performance.now()) || this.#state.lanes.hasNew;
  }

  stop(): void {
    this.#stopped = true;
    this.#waker.wake();
  }

  async run(): Promise<void> {
    while (!this.#stopped) {
      let waitMs: number;
      this.#hinted = false;
      try {
        waitMs = this.#mayClaim() ? await this.#step() : this.#holdBack();
        this.#pacing.noteStep();
      } catch (error) {
        waitMs = this.#pacing.afterErrorMs(Math.random());
        this.#onError(error, this.#pacing.errors);
      }
      this.#waitMs = this.#hinted ? Math.min(waitMs, BUSY_POLL_MS) : waitMs;
      await this.#waker.wait(this.#waitMs);
      this.#waitMs = 0;
    }
  }

  #holdBack(): number {
    this.#state.feed?.rest(this.#settleFails() ? "store" : "paused");
    return IDLE_POLL_MS;
  }

  /** One round; returns the wait before the next, ms. */
  async #step(): Promise<number> {
    const { breaker, retries, lanes } = this.#state;
    const now = performance.now();
    if (breaker.isOpen) return this.#prober.step(now);
    if (this.#outcomes.wantsEvidence) await this.#prober.claimEvidence(now);
    const dueInMs = retries.dueInMs(now, (id) => lanes.has(id) || this.#skipsRetry(id));
    const retryInMs = this.#pacing.retryInMs(dueInMs, now);
    this.#retriesWait = retryInMs <= 0 && !this.#hasRoomForRetries;
    if (retryInMs <= 0 && !this.#retriesWait) await this.#claimRetries();
    const probeInMs = await this.#probeRoutes(now);
    this.#waitsForRoom = !this.#capacity.isLeft;
    if (this.#waitsForRoom) return Math.min(IDLE_POLL_MS, Math.max(probeInMs, BUSY_POLL_MS));
    const followInMs = await this.#followers.step();
    const readInMs = (await this.#claimStreamed()) ?? (await this.#rest.between(() => this.#newRows.read()));
    return Math.min(
      readInMs,
      followInMs,
      Math.max(probeInMs, BUSY_POLL_MS),
      this.#retriesWait ? IDLE_POLL_MS : Math.max(0, retryInMs <= 0 ? BUSY_POLL_MS : retryInMs),
    );
  }

  async #claimRetries(): Promise<void> {
    const { table, lease } = this.#context;
    const { lanes, retries } = this.#state;
    // Also those that an operator retried since the list was read: claimed again while they are settled, they would be
    // published twice.
    const held = lanes.ids().filter((id) => lanes.retriedIds.has(id) || retries.has(id));
    const excludeIds = [...held, ...retries.notHeads(table.compareOrder)];
    const startedMs = performance.now();
    const most = this.#newOnesCome ? MOST_RETRIED : Number.POSITIVE_INFINITY;
    const limit = Math.min(this.#capacity.limit, most);
    const claim = await table.claimDueRetries({ lease, limit, excludeIds, maxBytes: MAX_CLAIM_BYTES });
    const nowMs = performance.now();
    const unlisted = claim?.messages.some(({ id }) => !retries.has(id)) ?? false;
    const found = { messages: claim?.messages.length ?? 0, limit, unlisted };
    this.#pacing.noteRetriesClaimed({ ...found, tookMs: nowMs - startedMs, nowMs });
    if (claim) this.#accept(claim, "retry");
  }

  /** Null when the table is to be read. */
  async #claimStreamed(): Promise<number | null> {
    if (!this.#state.feed) return null;
    this.#capacity.uncrowd();
    const claimed = await this.#state.feed.claim(this.#capacity.limit, () => this.#newRows.isDue());
    if (claimed !== null && claimed.notices > 0) this.#noteWorks();
    return claimed?.waitMs ?? null;
  }

  /** Called after a read or a claim of the outbox. */
  #noteWorks(): void {
    if (this.#pacing.endsFailure()) this.#context.log.info("the outbox is read again");
  }
}
