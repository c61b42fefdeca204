import { setTimeout as delay } from "node:timers/promises";
import { type Claim, LeaseLostError, type MessageOutcome, type OutgoingMessage } from "#db/outbox/relay-port.ts";
import { isConnectionError } from "#db/postgres/database-error.ts";
import { type OpenedFeed, openFeed } from "../stream/open-feed.ts";
import type { StreamSource } from "../stream/stream-source.ts";
import { Aftermath } from "./aftermath.ts";
import type { Breaker, BreakerSnapshot } from "./breaker.ts";
import { Claimer, type ClaimKind } from "./claimer.ts";
import type { IsolationMember } from "./isolation.ts";
import { Judge } from "./judge.ts";
import { type Held, Lanes } from "./lanes.ts";
import type { LateCommits } from "./late-commits.ts";
import { LowWaterMark } from "./low-water-mark.ts";
import { type PauseChange, Pauses } from "./pauses.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { Publisher } from "./publisher.ts";
import { Quarantine } from "./quarantine.ts";
import { Retries } from "./retries.ts";
import { Settler } from "./settler.ts";
import { WentBack } from "./went-back.ts";
import { Withheld } from "./withheld.ts";

/** Longest wait for what is with the sink when the relay stops, before it is aborted. */
const FINISH_MS = 4000;
const ABORT_MS = 500;
const SETTLE_MS = 3000;
const LOOPS_MS = 1000;

/**
 * Claim, publish, settle for one term of one owner: claims are read ahead while earlier ones are published and still
 * earlier ones are settled. Everything here is memory; what a crash forgets is read again from the table.
 */
export class Pipeline {
  readonly #context: PipelineContext;
  readonly #lanes: Lanes;
  readonly #mark: LowWaterMark;
  readonly #withheld: Withheld;
  readonly #retries = new Retries();
  readonly #pauses = new Pauses();
  readonly #breaker: Breaker;
  readonly #wentBack: WentBack;
  readonly #late: LateCommits;
  readonly #settler: Settler;
  readonly #publisher: Publisher;
  readonly #claimer: Claimer;
  readonly #judge: Judge;
  readonly #aftermath: Aftermath;
  readonly #stream: OpenedFeed | null;
  readonly #quarantine: Quarantine;
  readonly #member: IsolationMember;
  readonly #onLost: (error: Error) => void;
  #paused = false;
  /** Aggregates, and whether any event types, that are paused no more and are still held. */
  readonly #ended: string[] = [];
  #typesEnded = false;
  #stopping = false;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(context: PipelineContext, onLost: (error: Error) => void) {
    const compare = context.table.compareOrder;
    this.#context = context;
    this.#onLost = onLost;
    this.#lanes = new Lanes(compare);
    this.#mark = new LowWaterMark(compare);
    this.#withheld = new Withheld(compare);
    this.#wentBack = new WentBack(compare);
    this.#breaker = context.memory.breaker;
    this.#late = context.memory.late;
    const state = {
      lanes: this.#lanes,
      mark: this.#mark,
      withheld: this.#withheld,
      retries: this.#retries,
      breaker: this.#breaker,
      late: this.#late,
      falls: context.memory.falls,
      pauses: this.#pauses,
      wentBack: this.#wentBack,
    };
    this.#settler = new Settler(context, this.#lanes, (batch, result) => {
      this.#aftermath.settled(batch, result);
      this.#stream?.feed.settled(batch, new Set(result.fenced));
      this.#claimer.wakeForRoom();
    });
    this.#judge = new Judge(context, state, {
      decide: (held, outcome) => this.#decide(held, outcome),
      undo: (undo) => void this.#undo(undo),
      works: () => this.#claimer.wake(),
    });
    this.#aftermath = new Aftermath(context, state, this.#judge, () => this.#claimer.wake());
    this.#publisher = new Publisher(context, this.#lanes, {
      onOutcome: (held, outcome, timing) => this.#judge.judge(held, outcome, timing),
      onQuiet: () => this.#quiet(),
    });
    this.#stream = openFeed({
      context,
      state,
      accept: (claim, stale) => {
        this.#accept(claim, "stream", stale);
        this.#claimer.crowd(claim);
      },
      wake: () => this.#claimer.wake(),
    });
    const feed = this.#stream ? { feed: this.#stream.feed } : {};
    this.#claimer = new Claimer(
      context,
      { ...state, ...feed },
      {
        accept: (claim, kind) => this.#accept(claim, kind),
        giveBack: (messages) => this.#judge.giveBack(messages),
        mayClaim: () => !this.#paused && !this.#stopping && !this.#settler.failing && this.#mayPublish(),
        settleFails: () => this.#settler.failing,
        mostAtOnce: () => this.#quarantine.batchLimit,
        skipsRetry: (id) => this.#quarantine.has(id) || this.#pausesRetry(id),
        onError: (error, times) => this.#claimFailed(error, times),
      },
    );
    this.#quarantine = new Quarantine(
      context,
      state,
      { judge: this.#judge, publisher: this.#publisher },
      {
        mayPublish: () => !this.#paused && !this.#stopping && this.#mayPublish(),
        waits: (message) => this.#pauses.covers(message),
        wake: () => this.#claimer.wake(),
        lost: onLost,
      },
    );
    const publisher = this.#publisher;
    this.#member = {
      get inFlight() {
        return publisher.inFlight;
      },
      hold(on) {
        publisher.isolated = on;
        if (!on) publisher.pump();
      },
    };
  }

  get inMemory(): number {
    return this.#lanes.size;
  }
  get inFlight(): number {
    return this.#publisher.inFlight;
  }
  get breaker(): BreakerSnapshot | null {
    return this.#breaker.snapshot(performance.now());
  }
  /** Null for a relay that polls. */
  get source(): StreamSource | null {
    return this.#stream?.source ?? null;
  }
  /** The log is all there is to read, and it cannot be read. */
  get cutOff(): boolean {
    const { feed, source } = this.#stream ?? {};
    return feed?.alone === true && source?.problem != null;
  }
  get knownTokens(): string[] {
    return this.#lanes.tokens();
  }

  /** Knows the failed and the suspect messages before the first claim: they block their aggregates. */
  async start(): Promise<void> {
    await this.refreshPauses();
    await this.refreshRetries();
    await this.refreshSuspects();
    this.#stream?.source.start();
    this.#context.isolation.join(this.#member);
    this.#loops = Promise.all([this.#settler.run(), this.#claimer.run()]);
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#publisher.held = true;
    this.#judge.giveBack(this.#lanes.emptyAll());
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#publisher.held = false;
    this.#publisher.pump();
    this.#claimer.wake();
  }

  /** Something may have been committed: an idle relay looks at once. */
  hint(): void {
    this.#claimer.hint();
  }

  /** False when what was read was out of date at once. */
  refreshRetries(): Promise<boolean> {
    return this.#aftermath.refreshRetries();
  }

  /** A pause has ended whose messages could not be gone on with yet. */
  get mustReadPauses(): boolean {
    return this.#typesEnded || this.#ended.length > 0;
  }

  /**
   * Reads what is paused on purpose and keeps to it; what has ended is read again from the table. True when the whole
   * outbox is paused.
   */
  async refreshPauses(): Promise<boolean> {
    const begun = this.#pauses.begin();
    const change = this.#pauses.replace(await this.#context.table.readPauses(), begun);
    this.#pauseSome(change);
    if (change.outbox) this.pause();
    this.#ended.push(...change.endedAggregates);
    this.#typesEnded ||= change.endedTypes;
    // A message that was retried goes before what was held behind it: it must be known first.
    if (this.mustReadPauses && (await this.#aftermath.refreshRetries())) this.#goOn();
    if (!change.outbox) this.resume();
    return change.outbox;
  }

  #pauseSome({ begunAggregates, begunTypes }: PauseChange): void {
    for (const key of begunAggregates) {
      this.#withheld.hold(key, "paused", null);
      this.#judge.giveBack(this.#lanes.surplus(key, 0));
    }
    if (begunTypes.size === 0) return;
    for (const held of this.#lanes.firstOf((message) => begunTypes.has(message.eventType ?? ""))) {
      const { aggregateKey, order } = held.message;
      if (aggregateKey !== null) this.#withheld.hold(aggregateKey, "paused_type", order);
      this.#judge.giveBack(this.#lanes.cutFrom(held));
    }
  }

  /** Reads have passed over what was paused: everything is looked at again. */
  #goOn(): void {
    const keys = this.#ended.splice(0).filter((key) => !this.#pauses.coversAggregate(key));
    for (const key of keys) this.#withheld.free(key, "paused");
    if (this.#typesEnded)
      for (const key of this.#withheld.keysFor("paused_type")) this.#withheld.free(key, "paused_type");
    this.#typesEnded = false;
    this.#mark.reset();
    this.#claimer.wake();
  }

  refreshSuspects(): Promise<void> {
    return this.#quarantine.refresh();
  }

  /** Finishes or aborts what is with the sink, gives the rest back and writes every outcome. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#publisher.held = true;
    this.#quarantine.stop();
    this.#claimer.stop();
    this.#judge.giveBack(this.#lanes.emptyAll());
    await until(() => this.#publisher.inFlight === 0, FINISH_MS);
    this.#publisher.abort();
    await until(() => this.#publisher.inFlight === 0, ABORT_MS);
    this.#judge.noMoreEvidence();
    await until(() => this.#settler.idle, SETTLE_MS);
    if (!this.#settler.idle) this.#context.memory.forgetOrder();
    await this.#end();
  }

  /** The term is over: nothing may be published or written any more. */
  async abandon(): Promise<void> {
    this.#stopping = true;
    this.#publisher.held = true;
    this.#publisher.abort();
    this.#context.memory.forgetOrder();
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#quarantine.stop();
    this.#context.isolation.leave(this.#member);
    this.#judge.stop();
    this.#claimer.stop();
    this.#settler.stop();
    if (this.#breaker.probing) this.#breaker.probeAborted();
    const loops = Promise.all([this.#loops, this.#stream?.source.stop()]);
    // A database that hangs must not keep a process from ending.
    await Promise.race([loops, delay(LOOPS_MS, undefined, { ref: false })]);
  }

  /** The lease may end while messages wait; they go on when it is renewed. */
  leaseRenewed(): void {
    this.#publisher.pump();
  }
  abortInFlight(): void {
    this.#publisher.abort();
  }

  #mayPublish(): boolean {
    return performance.now() < this.#context.publishUntilMs();
  }

  #accept(claim: Claim, kind: ClaimKind, stale = false): void {
    if (this.#breaker.holds && claim.messages[0]) {
      const [first] = claim.messages;
      if (claim.messages.length === 1 && this.#lanes.size === 0) this.#breaker.beginProbe(first.aggregateKey);
    }
    const late: string[] = [];
    const returned: Held[] = [];
    for (const message of claim.messages) {
      // In memory already: it goes on there, and this claim of it ends by itself. Twice in memory would be never settled.
      if (this.#lanes.has(message.id)) continue;
      const retry = kind === "retry";
      const held = this.#lanes.add(message, claim.token, retry, kind === "stream");
      const overtakes = (kind === "new" || kind === "probe") && this.#wentBack.isBefore(message);
      const blocked = overtakes || (!retry && this.#stops(message));
      const refused = stale || this.#stopping || this.#paused || (this.#breaker.holds && !this.#breaker.probing);
      if (this.#isPaused(held)) returned.push(...this.#lanes.cutFrom(held));
      else if (blocked || refused || held.lane.returning > 0) returned.push(...this.#lanes.empty(held.lane));
      else if (kind === "new" && this.#late.isLate(message)) late.push(message.id);
    }
    this.#judge.giveBack(returned);
    if (late.length > 0) void this.#countLate(late);
    this.#publisher.pump();
  }

  /** The message must wait, and what follows it: what comes before it goes on. */
  #isPaused(held: Held): boolean {
    const { aggregateKey, eventType, order } = held.message;
    const typePaused = this.#pauses.coversType(eventType);
    if (typePaused && aggregateKey !== null) this.#withheld.hold(aggregateKey, "paused_type", order);
    if (typePaused || held.retry) return this.#pauses.covers(held.message);
    return aggregateKey !== null && this.#withheld.isHeld(aggregateKey, "paused_type");
  }

  #pausesRetry(id: string): boolean {
    const waiting = this.#retries.get(id);
    return waiting !== undefined && this.#pauses.covers(waiting);
  }

  #stops({ id, aggregateKey }: OutgoingMessage): boolean {
    return this.#quarantine.has(id) || (aggregateKey !== null && this.#withheld.stops(aggregateKey));
  }

  async #countLate(ids: string[]): Promise<void> {
    try {
      const known = new Set(await this.#context.table.withHistory(ids));
      this.#context.stats.lateCommits += ids.filter((id) => !known.has(id)).length;
    } catch (error) {
      this.#context.log.debug({ err: error }, "late commits could not be told from retries");
    }
  }

  #decide(held: Held, outcome: MessageOutcome): void {
    if (outcome.kind === "failed") {
      const { id, aggregateKey, eventType, order } = held.message;
      this.#retries.add(id, { aggregateKey, eventType, order, dueAtMs: performance.now() + outcome.nextAttemptInMs });
    }
    if (outcome.kind === "dead" && this.#context.settings.onDead === "hold") this.#hold(held);
    this.#settler.push(held, outcome);
  }

  /** What follows a message that is given up on waits at once; its settle makes that last. */
  #hold(held: Held): void {
    const { id, aggregateKey, order } = held.message;
    if (aggregateKey === null) return;
    this.#pauses.hold(id, aggregateKey);
    this.#withheld.hold(aggregateKey, "paused", order);
    this.#judge.giveBack(this.#lanes.surplus(aggregateKey, 0));
  }

  /** The failures that are to be undone may be on their way to the table still. */
  async #undo(undo: { id: string; attempts: number }[]): Promise<void> {
    await until(() => this.#settler.idle, SETTLE_MS);
    await this.#aftermath.undo(undo);
  }

  #quiet(): void {
    if (this.#publisher.inFlight === 0 && !this.#lanes.hasReady) this.#judge.noMoreEvidence();
    this.#claimer.wakeForRoom();
  }

  #claimFailed(error: unknown, times: number): void {
    if (error instanceof LeaseLostError) {
      this.#onLost(error);
      return;
    }
    this.#context.stats.lastError = error instanceof Error ? error.message : String(error);
    if (times === 1) this.#context.log.warn({ err: error }, "the outbox cannot be read; trying again");
    // A claim may have been committed whose answer was lost: its rows are read again, its claim row is ended later.
    if (isConnectionError(error) || (error instanceof Error && error.name === "CommitDoubtError")) {
      this.#mark.reset();
      this.#stream?.feed.rest("store");
    }
  }
}

async function until(condition: () => boolean, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!condition() && performance.now() < deadline) await delay(5);
}
