import type { Claim, ClaimRequest, ClaimResult } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { PipelineContext } from "../../state/pipeline-context.ts";
import { AGED_MS, type ReadBegun } from "../../state/watermark.ts";
import { type ClaimCapacity, MAX_CLAIM_BYTES } from "../claim-capacity.ts";
import type { ClaimPacing } from "../claim-pacing.ts";
import type { ClaimerState } from "../claimer-state.ts";
import { DeadRowSkip, type RowSkip } from "./dead-row-skip.ts";
import { endOfRead } from "./end-of-read.ts";
import { Exclusions } from "./exclusions.ts";
import { LateRowSearch } from "./late-row-search.ts";
import { RowList } from "./row-list.ts";
import { TypeSkip, type TypeSkipEvents } from "./type-skip.ts";

/** Reads messages that were never claimed, from the watermark on, and claims them. */
export class NewRows {
  readonly #context: PipelineContext;
  readonly #state: ClaimerState;
  readonly #capacity: ClaimCapacity;
  readonly #pacing: ClaimPacing;
  readonly #accept: (claim: Claim, stale?: boolean) => void;
  readonly #mayClaim: () => boolean;
  readonly #noteWorks: () => void;
  readonly #lateRows: LateRowSearch;
  readonly #exclusions: Exclusions;
  readonly #deadRows: DeadRowSkip;
  readonly #types: TypeSkip;
  readonly #list: RowList;
  /** The table is read in parts, which has been logged. */
  #readsParts = false;

  constructor(
    context: PipelineContext,
    state: ClaimerState,
    parts: {
      capacity: ClaimCapacity;
      pacing: ClaimPacing;
      types: TypeSkipEvents;
      /** `stale`: a message that may precede these was committed meanwhile. */
      accept: (claim: Claim, stale?: boolean) => void;
      mayClaim: () => boolean;
      /** The outbox was read. */
      works: () => void;
      wake: () => void;
    },
  ) {
    this.#context = context;
    this.#state = state;
    this.#capacity = parts.capacity;
    this.#pacing = parts.pacing;
    this.#accept = parts.accept;
    this.#mayClaim = parts.mayClaim;
    this.#noteWorks = parts.works;
    this.#exclusions = new Exclusions(state.withheld);
    this.#deadRows = new DeadRowSkip(context, state.watermark);
    this.#types = new TypeSkip(context, state, parts.types);
    this.#list = new RowList(context, state, parts.pacing);
    this.#lateRows = new LateRowSearch({
      ...{ context, watermark: state.watermark, wake: parts.wake },
      request: (after) => this.request(after, state.withheld.keys(), state.lanes.ids(after)),
    });
  }

  /** One read; returns the wait before the next, ms. `behind`: the rows before its start, checked just before. */
  async read(behind: RowSkip | null = null): Promise<number> {
    const { watermark, lanes, wentBack, withheld } = this.#state;
    this.#capacity.uncrowd();
    const startedMs = performance.now();
    const sweeping = !watermark.isLost && this.#lateRows.begin(startedMs);
    const below = this.#lateRows.take(startedMs);
    const begun = watermark.begin(below, this.#pacing.mayReread(startedMs));
    wentBack.begin();
    withheld.beginRead();
    const wantWriters = this.#wantsWriters(startedMs);
    // A peek moves no watermark, so one that is held back is read on now and then.
    const quiet = below === null && !this.#state.feed && !wantWriters && this.#pacing.isQuiet(startedMs);
    if (below === null) {
      const skipped = await this.#skipAhead(begun, quiet, startedMs);
      if (skipped !== null) return skipped !== "begin again" && this.#mayClaim() ? this.read(skipped) : 0;
    }
    // Until the watermark has a position, no read has passed the withheld messages, so all keys are excluded.
    const all = below !== null || watermark.position === null;
    const excluded = all ? withheld.keys() : this.#exclusions.above(begun);
    const limit = this.#capacity.limitOf(this.#pacing.batches);
    const request = { ...this.request(begun.after, excluded, lanes.ids(begun.after)), limit };
    if (quiet && (sweeping || !(await this.#peek(request)))) return this.#pacing.afterPeekMs;
    this.#pacing.beginRead();
    if (wantWriters) this.#pacing.noteWritersAsked(startedMs);
    const wanted = { ...request, ...this.#agedOf(begun, behind), wantWriters };
    const mayList = below === null && behind === null;
    const { result, searched } = await this.#claim(begun, { wanted, mayList, startedMs });
    const nowMs = performance.now();
    // Others may wait behind the listed ones.
    if (!searched && result.claim === null) return 0;
    if (result.claim !== null && (await this.#isPreceded(result.claim, behind, begun))) {
      this.#accept(result.claim, true);
      return 0;
    }
    return this.#noteRead(result, { begun, below, startedMs, nowMs, excluded: excluded.length, limit, searched });
  }

  /** Claims listed rows if there are any, and otherwise searches for them. */
  async #claim(
    begun: ReadBegun,
    { wanted, mayList, startedMs }: { wanted: ClaimRequest; mayList: boolean; startedMs: number },
  ): Promise<{ result: ClaimResult; searched: boolean }> {
    const among = mayList ? await this.#list.next(begun, wanted.limit) : null;
    const claimedMs = performance.now();
    const result = await this.#context.table.claimNew(among === null ? wanted : { ...wanted, among });
    this.#noteWorks();
    this.#lateRows.passed(begun, among === null ? startedMs : this.#list.listedMs);
    if (among !== null) this.#list.noteClaim(result.claim?.messages ?? [], performance.now() - claimedMs);
    return { result, searched: among === null };
  }

  /**
   * A backlog is read on up to the first fresh row: it may follow a row committed late before this read's start. Both
   * are read from the watermark.
   */
  #agedOf({ ahead, since }: ReadBegun, behind: RowSkip | null): Pick<ClaimRequest, "agedMs" | "since"> {
    if (!ahead || behind !== null) return {};
    return { agedMs: AGED_MS, ...(since === null ? {} : { since }) };
  }

  /**
   * Called while the log announces new messages, which says nothing of those that become due. True if the table is to
   * be read.
   */
  isDue(): boolean {
    const nowMs = performance.now();
    this.#lateRows.begin(nowMs);
    this.#lateRows.take(nowMs);
    return this.#lateRows.isDue(nowMs);
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
      /** The rows were not listed before. */
      searched: boolean;
    },
  ): number {
    const { begun, below, startedMs, nowMs: now } = read;
    const messages = result.claim?.messages ?? [];
    const last = messages.at(-1) ?? null;
    const { compareOrder } = this.#context.table;
    const end = endOfRead(result, compareOrder, (order) => this.#lateRows.mayEndAt(order));
    this.#state.watermark.noteRead({ begun, ...end, more: result.more, horizon: result.horizon, nowMs: now });
    if (result.partial) this.#notePartial();
    else if (below !== null && result.more && last) this.#lateRows.goOn(last.order);
    this.#lateRows.noteRead(below, messages);
    this.#noteReread(begun, startedMs);
    const full = messages.length >= read.limit;
    // Parts in which nothing is due are read at the pace of an idle relay.
    const more = result.more && !(result.partial && messages.length === 0);
    if (read.searched) this.#pacing.noteRead({ more, tookMs: now - startedMs, found: messages.length, full });
    this.#exclusions.noteRead(begun, messages, read.excluded);
    this.#types.noteRead(messages);
    if (result.claim) {
      this.#pacing.noteFound(now);
      this.#accept(result.claim);
      this.#capacity.crowd(result.claim);
      if (full && this.#pacing.batches > 1) this.#capacity.noteRoom(result.claim);
    }
    this.#state.feed?.noteRead(result, begun);
    return more ? 0 : this.#pacing.afterReadMs(now);
  }

  /**
   * Unread rows may precede every position: from now on reads begin at the start of the table and exclude all that is
   * in memory.
   */
  #notePartial(): void {
    const { watermark } = this.#state;
    if (watermark.position !== null) watermark.rewind(null);
    if (this.#readsParts) return;
    this.#readsParts = true;
    this.#context.log.warn(
      "the index of waiting messages is not sorted by their order and holds more than one read takes: it is read in parts, and an event may overtake an earlier one of its aggregate",
    );
  }

  #noteReread({ ahead }: ReadBegun, startedMs: number): void {
    if (!ahead) this.#pacing.noteReread({ startedMs, nowMs: performance.now() });
  }

  /** One statement instead of a claim's transaction. */
  async #peek(request: ClaimRequest): Promise<boolean> {
    const startedMs = performance.now();
    const hasNew = await this.#context.table.hasNew(request);
    // Where it finds messages, their claim may still be refused, as it was before.
    if (!hasNew) {
      this.#noteWorks();
      this.#pacing.noteEmptyPeek(performance.now() - startedMs);
    }
    return hasNew;
  }

  request(after: OrderKey | null, excludeAggregates: string[], excludeIds: string[]): ClaimRequest {
    const { lease } = this.#context;
    const common = { lease, excludeIds, excludeAggregates, maxBytes: MAX_CLAIM_BYTES, wantLast: this.#pacing.isSlow };
    return { ...common, after, limit: this.#capacity.limit };
  }
}
