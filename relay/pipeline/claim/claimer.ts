import type { Claim, ClaimRequest, ClaimResult } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { Judge } from "../publish/judge.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { Waker } from "../state/waker.ts";
import { AGED_MS, type ReadBegun } from "../state/watermark.ts";
import { type ClaimCapacity, MAX_CLAIM_BYTES } from "./claim-capacity.ts";
import { ClaimPacing } from "./claim-pacing.ts";
import type { ClaimerState, ClaimKind } from "./claimer-state.ts";
import { DeadRowSkip, type RowSkip } from "./dead-row-skip.ts";
import { endOfRead } from "./end-of-read.ts";
import { Exclusions } from "./exclusions.ts";
import { Followers } from "./followers.ts";
import { LateRowSearch } from "./late-row-search.ts";
import { BUSY_POLL_MS, IDLE_POLL_MS } from "./poll-intervals.ts";
import { Prober } from "./prober.ts";
import { ReadRest } from "./read-rest.ts";
import { TypeSkip, type TypeSkipEvents } from "./type-skip.ts";

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
  readonly #judge: Pick<Judge, "nothingElse" | "wantsEvidence" | "beginEvidence" | "foundEvidence">;
  readonly #probeRoutes: (nowMs: number) => Promise<number>;
  readonly #onError: (error: unknown, times: number) => void;
  readonly #waker = new Waker();
  #stopped = false;
  readonly #pacing = new ClaimPacing(performance.now());
  readonly #rest: ReadRest;
  readonly #lateRows: LateRowSearch;
  readonly #exclusions: Exclusions;
  readonly #prober: Prober;
  readonly #deadRows: DeadRowSkip;
  readonly #types: TypeSkip;
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
      judge: Pick<Judge, "nothingElse" | "wantsEvidence" | "beginEvidence" | "foundEvidence">;
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
    this.#judge = events.judge;
    this.#probeRoutes = events.probeRoutes;
    this.#onError = events.onError;
    this.#rest = new ReadRest(state.watermark);
    this.#exclusions = new Exclusions(state.withheld);
    this.#deadRows = new DeadRowSkip(context, state.watermark);
    this.#types = new TypeSkip(context, state, events.types);
    this.#followers = new Followers(context, state, {
      limit: () => (this.#newOnesCome ? Math.min(capacity.limit, MOST_FOLLOWED) : capacity.limit),
      hasRoom: () => !this.#newOnesCome || state.lanes.queuedFollowed <= MOST_FOLLOWED / 2,
      accept: (claim) => events.accept(claim, "followed"),
    });
    this.#prober = new Prober(context, state, {
      request: (excluded) => this.#request(null, excluded, []),
      accept: events.accept,
      followers: this.#followers,
      judge: events.judge,
      probeRoutes: events.probeRoutes,
    });
    this.#lateRows = new LateRowSearch({
      ...{ context, watermark: state.watermark, wake: () => this.wake() },
      request: (after) => this.#request(after, state.withheld.keys(), state.lanes.ids(after)),
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
    if (breaker.holds) return this.#prober.step(now);
    if (this.#judge.wantsEvidence) await this.#prober.claimEvidence(now);
    const dueInMs = retries.dueInMs(now, (id) => lanes.has(id) || this.#skipsRetry(id));
    const retryInMs = this.#pacing.retryInMs(dueInMs, now);
    this.#retriesWait = retryInMs <= 0 && !this.#hasRoomForRetries;
    if (retryInMs <= 0 && !this.#retriesWait) await this.#claimRetries();
    const probeInMs = await this.#probeRoutes(now);
    this.#waitsForRoom = !this.#capacity.isLeft;
    if (this.#waitsForRoom) return Math.min(IDLE_POLL_MS, Math.max(probeInMs, BUSY_POLL_MS));
    const followInMs = await this.#followers.step();
    const readInMs = (await this.#claimStreamed()) ?? (await this.#rest.between(() => this.#readNew()));
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
    const claimed = await this.#state.feed.claim(this.#capacity.limit);
    if (claimed !== null && claimed.notices > 0) this.#noteWorks();
    return claimed?.waitMs ?? null;
  }

  /** Called after a read or a claim of the outbox. */
  #noteWorks(): void {
    if (this.#pacing.endsFailure()) this.#context.log.info("the outbox is read again");
  }

  /** `behind`: the rows before this read's start, checked just before. */
  async #readNew(behind: RowSkip | null = null): Promise<number> {
    const { watermark, lanes, wentBack, withheld } = this.#state;
    this.#capacity.uncrowd();
    const startedMs = performance.now();
    const sweeping = !watermark.isLost && this.#lateRows.begin(startedMs);
    const below = this.#lateRows.take();
    const begun = watermark.begin(below, this.#pacing.mayReread(startedMs));
    wentBack.begin();
    withheld.beginRead();
    const wantWriters = this.#wantsWriters(startedMs);
    // A peek moves no watermark, so one that is held back is read on now and then.
    const quiet = below === null && !this.#state.feed && !wantWriters && this.#pacing.isQuiet(startedMs);
    if (below === null) {
      const skipped = await this.#skipAhead(begun, quiet, startedMs);
      if (skipped !== null) return skipped !== "begin again" && this.#mayClaim() ? this.#readNew(skipped) : 0;
    }
    // Until the watermark has a position, no read has passed the withheld messages, so all keys are excluded.
    const all = below !== null || watermark.position === null;
    const excluded = all ? withheld.keys() : this.#exclusions.above(begun);
    const limit = this.#capacity.limitOf(this.#pacing.batches);
    const request = { ...this.#request(begun.after, excluded, lanes.ids(begun.after)), limit };
    if (quiet && (sweeping || !(await this.#peek(request)))) return this.#pacing.afterPeekMs;
    this.#pacing.beginRead();
    // Up to the first fresh row: it may follow a row committed late before this read's start. Both are read from the watermark.
    const since = begun.since === null ? {} : { since: begun.since };
    const aged = begun.ahead && behind === null ? { agedMs: AGED_MS, ...since } : {};
    if (wantWriters) this.#pacing.noteWritersAsked(startedMs);
    const result = await this.#context.table.claimNew({ ...request, ...aged, wantWriters });
    this.#noteWorks();
    const nowMs = performance.now();
    if (result.claim !== null && (await this.#isPreceded(result.claim, behind, begun))) {
      this.#accept(result.claim, "new", true);
      return 0;
    }
    return this.#noteRead(result, { begun, below, startedMs, nowMs, excluded: excluded.length, limit });
  }

  /** True if other messages are to be read before those of the claim. */
  async #isPreceded({ messages }: Claim, behind: RowSkip | null, begun: ReadBegun): Promise<boolean> {
    if (behind !== null && !(await this.#deadRows.stillHolds(behind))) return true;
    return this.#lateRows.precedes(messages, begun);
  }

  #wantsWriters(nowMs: number): boolean {
    return this.#state.watermark.isHeldBack(nowMs) && this.#pacing.isWritersTurn(nowMs);
  }

  /** Skips rows that stay in the table without claiming them: dead ones, and those of waiting event types. */
  async #skipAhead(begun: ReadBegun, quiet: boolean, startedMs: number): Promise<RowSkip | "begin again" | null> {
    const skipped = await this.#deadRows.skip(begun, quiet);
    if (skipped) {
      this.#noteReread(begun, startedMs);
      return skipped;
    }
    return (await this.#types.skip(begun, this.#context.lease)) ? "begin again" : null;
  }

  /** Takes over the result of a read, which ended at `nowMs`; returns the wait before the next, ms. */
  #noteRead(
    result: ClaimResult,
    read: {
      begun: ReadBegun;
      below: OrderKey | null;
      startedMs: number;
      nowMs: number;
      excluded: number;
      limit: number;
    },
  ): number {
    const { begun, below, startedMs, nowMs: now } = read;
    const messages = result.claim?.messages ?? [];
    const last = messages.at(-1) ?? null;
    const { compareOrder } = this.#context.table;
    const end = endOfRead(result, compareOrder, (order) => this.#lateRows.mayEndAt(order));
    this.#state.watermark.noteRead({ begun, ...end, more: result.more, horizon: result.horizon, nowMs: now });
    if (below !== null && result.more && last) this.#lateRows.goOn(last.order);
    this.#lateRows.noteRead(below, messages);
    this.#noteReread(begun, startedMs);
    const full = messages.length >= read.limit;
    this.#pacing.noteRead({ more: result.more, tookMs: now - startedMs, found: messages.length, full });
    this.#exclusions.noteRead(begun, messages, read.excluded);
    this.#types.noteRead(messages);
    if (result.claim) {
      this.#pacing.noteFound(now);
      this.#accept(result.claim, "new");
      this.#capacity.crowd(result.claim);
      if (full && this.#pacing.batches > 1) this.#capacity.noteRoom(result.claim);
    }
    this.#state.feed?.noteRead(result, begun);
    return result.more ? 0 : this.#pacing.afterReadMs(now);
  }

  #noteReread({ ahead }: ReadBegun, startedMs: number): void {
    if (!ahead) this.#pacing.noteReread({ startedMs, nowMs: performance.now() });
  }

  /** One statement instead of a claim's transaction. */
  async #peek(request: ClaimRequest): Promise<boolean> {
    const startedMs = performance.now();
    const hasNew = await this.#context.table.hasNew(request);
    this.#noteWorks();
    if (!hasNew) this.#pacing.noteEmptyPeek(performance.now() - startedMs);
    return hasNew;
  }

  #request(after: OrderKey | null, excludeAggregates: string[], excludeIds: string[]): ClaimRequest {
    const { lease } = this.#context;
    const common = { lease, excludeIds, excludeAggregates, maxBytes: MAX_CLAIM_BYTES, wantLast: this.#pacing.isSlow };
    return { ...common, after, limit: this.#capacity.limit };
  }
}
