import type { Claim, ClaimRequest, ClaimResult } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { AGED_MS, type ReadBegun } from "../state/low-water-mark.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { Waker } from "../state/waker.ts";
import type { Room } from "./claim-room.ts";
import type { ClaimerState, ClaimKind } from "./claimer-state.ts";
import { BesideSkip } from "./dead-row-skip.ts";
import { Exclusions } from "./exclusions.ts";
import { BUSY_POLL_MS, IDLE_POLL_MS } from "./poll-intervals.ts";
import { Prober } from "./prober.ts";
import { Sweep } from "./sweep.ts";
import { TypeSkip, type TypeSkipEvents } from "./type-skip.ts";

/** From here on the outbox is quiet. Longer than the mark needs to pass what was read last. */
const QUIET_MS = 3000;
/** A read that finds little and takes longer walks over rows that are withheld: the mark should pass them. */
const SLOW_READ_MS = 10;
/** One slow glance may be the machine's. */
const SLOW_GLANCES = 3;
/** Payload text in one claim, characters. */
const MAX_CLAIM_BYTES = 16 * 1024 * 1024;
const WRITERS_EVERY_MS = 250;
/** While a backlog is read on, what was committed late behind it is looked for so often; at most a twentieth of the time. */
const AGAIN_MS = 1000;
const AGAIN_SHARE = 20;

/** Reads and claims, one claim at a time, ahead of what is being published. */
export class Claimer {
  readonly #context: PipelineContext;
  readonly #state: ClaimerState;
  readonly #accept: (claim: Claim, kind: ClaimKind) => void;
  readonly #mayClaim: () => boolean;
  readonly #settleFails: () => boolean;
  readonly #room: Room;
  readonly #skipsRetry: (id: string) => boolean;
  readonly #probeRoutes: (nowMs: number) => Promise<number>;
  readonly #onError: (error: unknown, times: number) => void;
  readonly #waker = new Waker();
  #stopped = false;
  #lastFoundMs = performance.now();
  readonly #sweep: Sweep;
  readonly #exclusions: Exclusions;
  readonly #prober: Prober;
  readonly #beside: BesideSkip;
  readonly #types: TypeSkip;
  #retryAtMs = 0;
  #slow = false;
  #writersAtMs = 0;
  #againAtMs = 0;
  #slowGlances = 0;
  #errors = 0;
  #waitsForRoom = false;
  #waitMs = 0;
  #hinted = false;

  constructor(
    context: PipelineContext,
    state: ClaimerState,
    room: Room,
    events: {
      accept: (claim: Claim, kind: ClaimKind) => void;
      mayClaim: () => boolean;
      /** The store takes no outcomes. */
      settleFails: () => boolean;
      /** A failed message that is not claimed when it is due. */
      skipsRetry: (id: string) => boolean;
      /** Claims what may probe a route at fault; returns when to look again, ms. */
      probeRoutes: (nowMs: number) => Promise<number>;
      types: TypeSkipEvents;
      nothingElse: () => void;
      /** `times`: how often in a row. */
      onError: (error: unknown, times: number) => void;
    },
  ) {
    this.#context = context;
    this.#state = state;
    this.#room = room;
    this.#accept = events.accept;
    this.#mayClaim = events.mayClaim;
    this.#settleFails = events.settleFails;
    this.#skipsRetry = events.skipsRetry;
    this.#probeRoutes = events.probeRoutes;
    this.#onError = events.onError;
    this.#exclusions = new Exclusions(state.withheld);
    this.#beside = new BesideSkip(context, state.mark);
    this.#types = new TypeSkip(context, state, events.types);
    this.#prober = new Prober(context, state, {
      request: (excluded) => this.#request(null, excluded, []),
      accept: events.accept,
      nothingElse: events.nothingElse,
      probeRoutes: events.probeRoutes,
    });
    this.#sweep = new Sweep({
      ...{ context, mark: state.mark, wake: () => this.#waker.wake() },
      request: (after) => this.#request(after, state.withheld.keys(), state.lanes.ids(after)),
    });
  }

  wake(): void {
    this.#waker.wake();
  }

  /** Reads again as soon as a busy relay would: a flood of hints must not become a flood of reads. */
  hint(): void {
    this.#hinted = true;
    if (this.#waitMs > BUSY_POLL_MS) this.#waker.wake();
  }

  /** Memory has room again: a backlog is read on at once, but new messages keep the pace of the polls. */
  wakeForRoom(): void {
    if (this.#waitsForRoom && this.#room.isLeft) this.#waker.wake();
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
        waitMs = this.#mayClaim() ? await this.#step() : this.#rest();
        this.#errors = 0;
      } catch (error) {
        this.#errors += 1;
        this.#onError(error, this.#errors);
        waitMs = Math.min(5000, 50 * 2 ** Math.min(this.#errors, 7)) * (0.5 + Math.random() / 2);
      }
      this.#waitMs = this.#hinted ? Math.min(waitMs, BUSY_POLL_MS) : waitMs;
      await this.#waker.wait(this.#waitMs);
      this.#waitMs = 0;
    }
  }

  #rest(): number {
    this.#state.feed?.rest(this.#settleFails() ? "store" : "paused");
    return IDLE_POLL_MS;
  }

  /** One round; returns how long to wait before the next. */
  async #step(): Promise<number> {
    const { breaker, retries, lanes } = this.#state;
    const now = performance.now();
    if (breaker.holds) return this.#prober.step(now);
    const retryInMs = Math.max(
      retries.dueInMs(now, (id) => lanes.has(id) || this.#skipsRetry(id)),
      this.#retryAtMs - now,
    );
    if (retryInMs <= 0) await this.#claimRetries();
    const probeInMs = await this.#probeRoutes(now);
    this.#waitsForRoom = !this.#room.isLeft;
    if (this.#waitsForRoom) return Math.min(IDLE_POLL_MS, Math.max(probeInMs, BUSY_POLL_MS));
    const readInMs = (await this.#claimStreamed()) ?? (await this.#readNew());
    return Math.min(
      readInMs,
      Math.max(probeInMs, BUSY_POLL_MS),
      Math.max(0, retryInMs <= 0 ? BUSY_POLL_MS : retryInMs),
    );
  }

  async #claimRetries(): Promise<void> {
    const { table, lease } = this.#context;
    const { lanes, retries } = this.#state;
    const held = lanes.ids().filter((id) => retries.has(id));
    const excludeIds = [...held, ...retries.notHeads(table.compareOrder)];
    const claim = await table.claimDueRetries({
      lease,
      limit: this.#room.limit,
      excludeIds,
    });
    // Our clock runs a little before the database's: ask again in a moment, not at once.
    this.#retryAtMs = performance.now() + (claim ? 0 : 50);
    if (claim) this.#accept(claim, "retry");
  }

  /** Null when the table is to be read. */
  async #claimStreamed(): Promise<number | null> {
    if (!this.#state.feed) return null;
    this.#room.uncrowd();
    return this.#state.feed.claim(this.#room.limit);
  }

  /** `behindSeen`: all that is behind the place of this read was looked at right before. */
  async #readNew(behindSeen = false): Promise<number> {
    const { mark, lanes, wentBack, withheld } = this.#state;
    this.#room.uncrowd();
    const startedMs = performance.now();
    const glances = !mark.isLost && this.#sweep.begin(startedMs);
    const below = this.#sweep.take();
    const begun = mark.begin(below, startedMs >= this.#againAtMs);
    wentBack.begin();
    withheld.beginRead();
    const quiet = below === null && this.#isQuiet(startedMs);
    if (below === null && (await this.#beside.skip(begun, quiet))) {
      this.#lookAgainLater(begun, startedMs);
      return this.#mayClaim() ? this.#readNew(true) : 0;
    }
    if (below === null && (await this.#types.skip(begun, this.#context.lease))) return 0;
    // Before the mark has passed anything, what is withheld has not been walked over yet.
    const all = below !== null || mark.position === null;
    const excluded = all ? withheld.keys() : this.#exclusions.above(begun);
    const request = this.#request(begun.after, excluded, lanes.ids(begun.after));
    if (quiet && (glances || !(await this.#glance(request)))) return IDLE_POLL_MS;
    this.#slowGlances = 0;
    const wantWriters = mark.isHeldBack(startedMs) && startedMs >= this.#writersAtMs;
    if (wantWriters) this.#writersAtMs = startedMs + WRITERS_EVERY_MS;
    // What was written a moment ago may follow a row that was committed behind this place: both are read from the mark.
    const aged = begun.ahead && !behindSeen ? { agedMs: AGED_MS } : {};
    const result = await this.#context.table.claimNew({ ...request, ...aged, wantWriters });
    const now = performance.now();
    const last = result.claim?.messages.at(-1) ?? null;
    mark.noteRead({
      begun,
      reached: this.#reached(result, last?.order ?? null),
      more: result.more,
      horizon: result.horizon,
      aged: last?.createdAt ? result.databaseTimeMs - Date.parse(last.createdAt) > AGED_MS : false,
      nowMs: now,
    });
    if (below !== null && result.more && last) this.#sweep.goOn(last.order);
    this.#lookAgainLater(begun, startedMs);
    this.#slow = !result.more && now - startedMs > SLOW_READ_MS;
    this.#exclusions.noteRead(begun, result.claim?.messages ?? [], excluded.length);
    this.#types.noteRead(result.claim?.messages ?? []);
    if (result.claim) {
      this.#lastFoundMs = now;
      this.#accept(result.claim, "new");
      this.#room.crowd(result.claim);
    }
    this.#state.feed?.noteRead(result, begun);
    if (result.more) return 0;
    const idleMs = now - this.#lastFoundMs;
    return Math.min(Math.max(BUSY_POLL_MS, idleMs / 10), IDLE_POLL_MS);
  }

  #lookAgainLater({ ahead }: ReadBegun, startedMs: number): void {
    if (ahead) return;
    const now = performance.now();
    this.#againAtMs = now + Math.max(AGAIN_MS, (now - startedMs) * AGAIN_SHARE);
  }

  async #glance(request: ClaimRequest): Promise<boolean> {
    const startedMs = performance.now();
    const hasNew = await this.#context.table.hasNew(request);
    if (hasNew) return true;
    this.#slowGlances = performance.now() - startedMs > SLOW_READ_MS ? this.#slowGlances + 1 : 0;
    this.#slow = this.#slowGlances >= SLOW_GLANCES;
    return false;
  }

  /** Where nothing has come for a while, ask before claiming: one statement in place of a transaction. */
  #isQuiet(nowMs: number): boolean {
    return nowMs - this.#lastFoundMs > QUIET_MS && !this.#slow && !this.#state.feed;
  }

  #reached({ last, more }: ClaimResult, read: OrderKey | null): OrderKey | null {
    if (more || last === null) return read;
    return read !== null && this.#context.table.compareOrder(read, last) > 0 ? read : last;
  }

  #request(after: OrderKey | null, excludeAggregates: string[], excludeIds: string[]): ClaimRequest {
    const { lease } = this.#context;
    const common = { lease, excludeIds, excludeAggregates, maxBytes: MAX_CLAIM_BYTES, wantLast: this.#slow };
    return { ...common, after, limit: this.#room.limit };
  }
}
