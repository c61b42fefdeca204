import { setTimeout as delay } from "node:timers/promises";
import { LeaseLostError, type MessageOutcome } from "#db/outbox/relay-port.ts";
import { isConnectionError } from "#db/postgres/database-error.ts";
import { type OpenedFeed, openFeed } from "../stream/open-feed.ts";
import type { StreamSource } from "../stream/stream-source.ts";
import { Aftermath } from "./aftermath.ts";
import type { Breaker, BreakerSnapshot } from "./breaker.ts";
import { Claimer } from "./claimer.ts";
import { Intake } from "./intake.ts";
import { Judge } from "./judge.ts";
import { type Held, Lanes } from "./lanes.ts";
import { LowWaterMark } from "./low-water-mark.ts";
import { PauseKeeper } from "./pause-keeper.ts";
import { Pauses } from "./pauses.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { Publisher } from "./publisher.ts";
import { Quarantine } from "./quarantine.ts";
import { Retries } from "./retries.ts";
import { Room } from "./room.ts";
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
  readonly #retries: Retries;
  readonly #breaker: Breaker;
  readonly #settler: Settler;
  readonly #publisher: Publisher;
  readonly #claimer: Claimer;
  readonly #room: Room;
  readonly #judge: Judge;
  readonly #aftermath: Aftermath;
  readonly #stream: OpenedFeed | null;
  readonly #quarantine: Quarantine;
  readonly #keeper: PauseKeeper;
  readonly #intake: Intake;
  readonly #onLost: (error: Error) => void;
  #paused = false;
  #stopping = false;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(context: PipelineContext, onLost: (error: Error) => void) {
    const compare = context.table.compareOrder;
    this.#context = context;
    this.#onLost = onLost;
    const mark = new LowWaterMark(compare);
    const state = {
      lanes: new Lanes(compare),
      mark,
      withheld: new Withheld(compare, () => mark.readFrom),
      wentBack: new WentBack(compare),
      retries: new Retries(),
      pauses: new Pauses(),
      breaker: context.memory.breaker,
      late: context.memory.late,
      falls: context.memory.falls,
    };
    this.#lanes = state.lanes;
    this.#mark = mark;
    this.#retries = state.retries;
    this.#breaker = state.breaker;
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
        this.#intake.accept(claim, "stream", stale);
        this.#room.crowd(claim);
      },
      wake: () => this.#claimer.wake(),
    });
    const feed = this.#stream ? { feed: this.#stream.feed } : {};
    const claimed = { ...state, ...feed };
    this.#room = new Room(context, claimed, {
      mostAtOnce: () => this.#quarantine.batchLimit,
      giveBack: (messages) => this.#judge.giveBack(messages),
    });
    this.#claimer = new Claimer(context, claimed, this.#room, {
      accept: (claim, kind) => this.#intake.accept(claim, kind),
      mayClaim: () => !this.#paused && !this.#stopping && !this.#settler.failing && this.#mayPublish(),
      settleFails: () => this.#settler.failing,
      skipsRetry: (id) => this.#quarantine.has(id) || this.#keeper.stopsRetry(id),
      onError: (error, times) => this.#claimFailed(error, times),
    });
    this.#quarantine = new Quarantine(
      context,
      state,
      { judge: this.#judge, publisher: this.#publisher },
      {
        mayPublish: () => !this.#paused && !this.#stopping && this.#mayPublish(),
        waits: (message) => state.pauses.covers(message),
        wake: () => this.#claimer.wake(),
        lost: onLost,
      },
    );
    this.#keeper = new PauseKeeper(context, state, this.#judge, {
      outbox: (paused) => this.#pauseOutbox(paused),
      refreshRetries: () => this.#aftermath.refreshRetries(),
      wake: () => this.#claimer.wake(),
    });
    const parts = {
      judge: this.#judge,
      publisher: this.#publisher,
      quarantine: this.#quarantine,
      keeper: this.#keeper,
    };
    this.#intake = new Intake(context, state, parts, () => this.#stopping || this.#paused);
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
    this.#context.isolation.join(this.#publisher);
    this.#loops = Promise.all([this.#settler.run(), this.#claimer.run()]);
  }

  #pauseOutbox(paused: boolean): void {
    if (this.#paused === paused) return;
    this.#paused = paused;
    this.#publisher.held = paused;
    if (paused) {
      this.#judge.giveBack(this.#lanes.emptyAll());
      return;
    }
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

  get mustReadPauses(): boolean {
    return this.#keeper.mustRead;
  }

  /** Reads what is paused on purpose and keeps to it. True when the whole outbox is. */
  refreshPauses(): Promise<boolean> {
    return this.#keeper.refresh();
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
    this.#context.isolation.leave(this.#publisher);
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

  #decide(held: Held, outcome: MessageOutcome): void {
    if (outcome.kind === "failed") {
      const { id, aggregateKey, eventType, order } = held.message;
      this.#retries.add(id, { aggregateKey, eventType, order, dueAtMs: performance.now() + outcome.nextAttemptInMs });
    }
    if (outcome.kind === "dead" && this.#context.settings.onDead === "hold") this.#keeper.hold(held);
    this.#settler.push(held, outcome);
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
