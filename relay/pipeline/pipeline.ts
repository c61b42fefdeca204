import { setTimeout as delay } from "node:timers/promises";
import { LeaseLostError } from "#db/stores/port/relay/lease.ts";
import type { RouteOutage } from "#db/stores/port/relay/route-outage.ts";
import type { MessageOutcome } from "#db/stores/port/relay/settle.ts";
import { isUnreachable } from "#db/stores/port/store-error.ts";
import { NOTHING_CLAIMED } from "#domain/relay/unwritten-outcomes.ts";
import type { Moment } from "#relay/clock/database-clock.ts";
import type { StreamSource } from "../stream/stream-source.ts";
import { assemble, type PipelineParts } from "./assemble.ts";
import type { BreakerSnapshot } from "./state/breaker.ts";
import type { ClaimedMessage } from "./state/lanes/lanes.ts";
import type { PipelineContext } from "./state/pipeline-context.ts";
import { storeReason } from "./state/store-reason.ts";

/** Longest wait at stop for messages with the sink, before they are aborted. */
const FINISH_MS = 4000;
const ABORT_MS = 500;
/**
 * Longest wait at stop for a claim that was begun: if it were left behind, it would look like a crash of this relay.
 */
const CLAIM_MS = 2000;
const SETTLE_MS = 3000;
const LOOPS_MS = 1000;

/**
 * Claims, publishes and settles during one term: claims are read ahead while earlier ones are published and still
 * earlier ones settled. All state is in memory; after a crash it is read again from the table.
 */
export class Pipeline {
  readonly #context: PipelineContext;
  readonly #parts: PipelineParts;
  readonly #onLost: (error: Error) => void;
  #paused = false;
  #stopping = false;
  #loops: Promise<unknown> = Promise.resolve();
  #claiming: Promise<void> = Promise.resolve();

  constructor(context: PipelineContext, onLost: (error: Error) => void) {
    this.#context = context;
    this.#onLost = onLost;
    this.#parts = assemble(context, {
      decide: (claimed, outcome) => this.#decide(claimed, outcome),
      refundAttempts: (tries) => this.#parts.effects.refund(tries),
      quiet: () => this.#quiet(),
      pause: (paused) => this.#pauseOutbox(paused),
      claimFailed: (error, times) => this.#claimFailed(error, times),
      lost: onLost,
      mayPublish: () => !this.#paused && !this.#stopping && performance.now() < context.publishUntilMs(),
      takesNothing: () => this.#stopping || this.#paused,
    });
  }

  get inFlight(): number {
    return this.#parts.publisher.inFlight;
  }
  /** Messages with the sink, and those whose outcome is not yet written. */
  get unwritten(): number {
    return this.#parts.publisher.inFlight + this.#parts.settler.unwritten;
  }
  get breaker(): BreakerSnapshot | null {
    return this.#parts.breaker.snapshot(performance.now(), this.#context.clock);
  }
  get routes(): RouteOutage[] {
    return this.#parts.routes.outages(performance.now(), this.#context.clock);
  }
  /** Start of the oldest unfinished settle; null when there is none. */
  get settlingSince(): Moment | null {
    return this.#parts.settler.since;
  }
  /** True if the message is claimed and its settle is not known to be committed. */
  holds(id: string): boolean {
    return this.#parts.lanes.has(id);
  }
  /** Null for a relay that polls. */
  get source(): StreamSource | null {
    return this.#parts.stream?.source ?? null;
  }
  /** True if the log is the only source and cannot be read. */
  get cutOff(): boolean {
    const { feed, source } = this.#parts.stream ?? {};
    return feed?.alone === true && source?.problem != null;
  }
  get knownTokens(): string[] {
    return this.#parts.lanes.tokens();
  }

  /** Reads pauses, failed and suspect messages before the first claim, because they block aggregates. */
  async start(): Promise<void> {
    await this.refreshPauses();
    await this.refreshRetries();
    await this.refreshSuspects();
    this.#parts.stream?.source.start();
    this.#context.isolation.join(this.#parts.publisher);
    this.#claiming = this.#parts.claimer.run();
    this.#loops = Promise.all([this.#parts.settler.run(), this.#claiming]);
  }

  #pauseOutbox(paused: boolean): void {
    if (this.#paused === paused) return;
    this.#paused = paused;
    this.#parts.publisher.paused = paused;
    if (paused) {
      this.#parts.outcomes.giveBack(this.#parts.lanes.emptyAll());
      return;
    }
    const { breaker, routes } = this.#parts;
    for (const one of [breaker, ...routes.open().map((route) => route.breaker)]) one.probeNow(performance.now());
    this.#parts.publisher.pump();
    this.#parts.claimer.wake();
  }

  /** Makes an idle relay read at once, because rows may have been committed. */
  hint(): void {
    this.#parts.claimer.hint();
  }

  /** False if the retries changed during the read, so that its result was discarded. */
  refreshRetries(): Promise<boolean> {
    return this.#parts.effects.refreshRetries();
  }

  get mustReadPauses(): boolean {
    return this.#parts.keeper.mustRead;
  }

  /** Reads and applies the pauses. True if the whole outbox is paused. */
  refreshPauses(): Promise<boolean> {
    return this.#parts.keeper.refresh();
  }

  /** Resumes aggregates whose paused message is gone. */
  lookBehindPauses(): Promise<void> {
    return this.#parts.pausedHeads.look();
  }

  /** Searches for rows that slow transactions committed before failed messages, so that nothing overtakes them. */
  lookBeforeHeads(): Promise<void> {
    return this.#parts.rowsBeforeHeads.look();
  }

  refreshSuspects(): Promise<void> {
    return this.#parts.quarantine.refresh();
  }

  /** Finishes or aborts messages that are with the sink, gives the rest back and writes the outcomes. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#parts.publisher.paused = true;
    this.#parts.quarantine.stop();
    this.#parts.claimer.stop();
    this.#parts.outcomes.giveBack(this.#parts.lanes.emptyAll());
    const claims = Promise.all([this.#claiming, this.#parts.quarantine.examined()]);
    const claimed = Promise.race([claims, delay(CLAIM_MS, undefined, { ref: false })]);
    await until(() => this.#parts.publisher.inFlight === 0, FINISH_MS);
    this.#parts.publisher.abort();
    await until(() => this.#parts.publisher.inFlight === 0, ABORT_MS);
    await claimed;
    this.#parts.outcomes.noMoreEvidence(true);
    await until(() => this.#parts.settler.idle, SETTLE_MS);
    if (!this.#parts.settler.idle) this.#context.memory.forgetOrder();
    await Promise.race([this.#parts.effects.undone(), delay(SETTLE_MS, undefined, { ref: false })]);
    await this.#end();
  }

  /** The term is over: nothing may be published or written any more. */
  async abandon(): Promise<void> {
    this.#stopping = true;
    this.#parts.publisher.paused = true;
    this.#parts.publisher.abort();
    this.#context.memory.forgetOrder();
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#parts.quarantine.stop();
    this.#context.isolation.leave(this.#parts.publisher);
    this.#parts.outcomes.stop();
    this.#parts.claimer.stop();
    this.#parts.settler.stop();
    if (this.#parts.breaker.probing) this.#parts.breaker.probeAborted();
    const loops = Promise.all([this.#loops, this.#parts.stream?.source.stop()]);
    // A database that hangs must not keep a process from ending.
    await Promise.race([loops, delay(LOOPS_MS, undefined, { ref: false })]);
  }

  /** The lease may end while messages wait; publishing continues when it is renewed. */
  leaseRenewed(): void {
    this.#parts.publisher.pump();
  }
  abortInFlight(): void {
    this.#parts.publisher.abort();
  }

  #decide(claimed: ClaimedMessage, outcome: MessageOutcome): void {
    if (outcome.kind === "failed") {
      const { id, aggregateKey, eventType, order } = claimed.message;
      this.#parts.retries.add(id, {
        aggregateKey,
        eventType,
        order,
        dueAtMs: performance.now() + outcome.nextAttemptInMs,
      });
    }
    if (outcome.kind === "dead") this.#noteDead(claimed);
    this.#parts.settler.push(claimed, outcome);
  }

  /** Later messages wait until the death is written: if it is lost, the next term sends the message again. */
  #noteDead(claimed: ClaimedMessage): void {
    const { onDead, onFailure } = this.#context.settings;
    if (onDead === "hold") this.#parts.keeper.hold(claimed);
    if (claimed.lane.key !== null && onFailure === "block") this.#parts.lanes.noteDead(claimed);
  }

  #quiet(): void {
    if (this.#parts.publisher.inFlight === 0 && !this.#parts.lanes.hasReady) this.#parts.outcomes.noMoreEvidence();
    this.#parts.claimer.wakeForRoom();
  }

  #claimFailed(error: unknown, times: number): void {
    if (error instanceof LeaseLostError) {
      this.#onLost(error);
      return;
    }
    this.#context.stats.lastError = `${NOTHING_CLAIMED}${storeReason(error)}`;
    if (times === 1) this.#context.log.warn({ err: error }, "the outbox cannot be read; trying again");
    // A claim may have been committed although its answer was lost: its rows are read again, its claim row is ended
    // later.
    if (isUnreachable(error)) {
      this.#parts.watermark.reset();
      this.#parts.stream?.feed.rest("store");
    }
  }
}

async function until(condition: () => boolean, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!condition() && performance.now() < deadline) await delay(5);
}
