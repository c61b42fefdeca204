import type { Failure } from "#domain/failure.ts";
import type { PublishOutcome } from "#relay/sinks/sink.ts";
import type { ClaimedMessage } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Route } from "../state/routes.ts";
import { Consequences, type Tried } from "./consequences.ts";
import { isAnswer, isOfRoute, isSign, isSilence, sparesMessage } from "./failure-signs.ts";
import type { OutcomeEvents, OutcomeState } from "./outcome-state.ts";
import type { Timing } from "./publisher.ts";
import { SinkFailureCounts } from "./sink-failure-counts.ts";
import { SinkFault } from "./sink-fault.ts";
import { EVIDENCE_WAIT_MS, SinkRecord } from "./sink-record.ts";
import { UndecidedFailures } from "./undecided-failures.ts";

/**
 * Decides what a sink's outcome means by blaming the smallest part that explains it: the message, its route, or the
 * sink. A message rejected for good is dead. Any other failure is unclear until another message gets through, three
 * aggregates have failed without a success between, or no message is left to try. Then environment failures and missing
 * answers are blamed on the sink, and others use up an attempt. Attempts are refunded if the route or the sink turns
 * out to be at fault.
 */
export class OutcomeHandler {
  readonly #context: PipelineContext;
  readonly #state: OutcomeState;
  readonly #consequences: Consequences;
  readonly #sinkFailures: SinkFailureCounts;
  readonly #works: () => void;
  readonly #keeper: OutcomeEvents["keeper"];
  readonly #undecided = new UndecidedFailures<Tried>();
  readonly #record = new SinkRecord();
  readonly #sinkFault: SinkFault;
  #evidenceTimer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(context: PipelineContext, state: OutcomeState, events: OutcomeEvents) {
    this.#context = context;
    this.#state = state;
    this.#consequences = new Consequences(context, state, events);
    this.#sinkFailures = new SinkFailureCounts(state.sinkFailures);
    this.#sinkFault = new SinkFault(context, state, {
      consequences: this.#consequences,
      sinkFailures: this.#sinkFailures,
    });
    this.#works = events.works;
    this.#keeper = events.keeper;
  }

  handle(claimed: ClaimedMessage, outcome: PublishOutcome, timing: Timing): void {
    // The breaker and the routes outlive the term, so results of its last calls must not end the next term's probes.
    if (this.#stopped) return;
    if (outcome.kind === "published") {
      this.#published(claimed, timing);
      return;
    }
    if (outcome.kind === "aborted") {
      this.#aborted(claimed);
      return;
    }
    const failure = this.#masked(claimed, outcome.failure);
    const tried = { ...timing, claimed, failure, failedMs: performance.now() };
    if (failure.kind === "message") this.#rejected(tried, outcome.unsent === true);
    else if (this.#state.breaker.probing) this.#probeFailed(tried);
    else if (!this.#routeFailed(tried)) this.#unclear(tried);
  }

  /**
   * Decides open failures, because no further success is expected to clear the sink. If one came just now, the sink is
   * blamed only once nothing has got through for a second, unless this is `final`.
   */
  noMoreEvidence(final = false): void {
    if (!this.#undecided.hasUnrecorded) return;
    const worksMaybe = !final && this.#record.worksMaybe;
    const sign = this.#undecided.find(
      (tried) => (isSign(tried.failure) || isSilence(tried.failure)) && !this.#failedAlone(tried),
    );
    const last = this.#undecided.areSeveral
      ? this.#undecided.find((tried) => !(isOfRoute(tried) && this.#failedAlone(tried)))
      : undefined;
    if ((sign || last) && worksMaybe) {
      this.#awaitEvidence();
      return;
    }
    if (sign) {
      const taken = this.#undecided.take(({ failure }) => isSign(failure) || !isAnswer(failure.code));
      this.#sinkFault.sinkDown(sign.failure, taken);
      return;
    }
    if (last) {
      // At the end of a term the sink is not judged; the next term will do that.
      if (final) this.giveBack(this.#takeUndecided());
      else this.#sinkFault.sinkAtFault(last.failure, this.#undecided.clear());
      return;
    }
    this.#blameRoutes(this.#undecided.of((tried) => isOfRoute(tried) && this.#failedAlone(tried)));
    const spared = this.#undecided.take(({ failure }) => sparesMessage(failure));
    this.#sinkFault.postpone(spared.filter(({ recorded }) => !recorded));
    this.#consequences.chargeAttempts(this.#undecided.record().map(({ subject }) => subject));
  }

  #takeUndecided(): ClaimedMessage[] {
    return this.#undecided.take(() => true).flatMap(({ recorded, subject }) => (recorded ? [] : subject.claimed));
  }

  /** True if others got through before, so one more failure says nothing about the sink. */
  #failedAlone({ failure, claimed }: Tried): boolean {
    return failure.kind === "route" ? this.#sinkFailures.has(claimed) : this.#sinkFailures.exceed(claimed);
  }

  /**
   * True if several failures are undecided where many messages fail on their own: one of the last messages then says
   * more.
   */
  get wantsEvidence(): boolean {
    return this.#undecided.hasUnrecorded && this.#undecided.areSeveral && this.#record.wantsEvidence;
  }

  beginEvidence(): void {
    this.#record.beginEvidence();
  }

  /** The message is published as evidence; null if there is none. */
  foundEvidence(id: string | null): void {
    this.#record.foundEvidence(id);
  }

  /** True while a failure of the aggregate is undecided. */
  isUndecided(key: string): boolean {
    return this.#undecided.some((suspect) => suspect.key === key && !suspect.recorded);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#evidenceTimer);
  }

  /** Makes a message dead without another attempt. */
  deadLetter(claimed: ClaimedMessage, input: { failure: Failure; startedAt: Date }): void {
    const { failure, startedAt } = input;
    this.#consequences.deadLetter({ claimed, durationMs: null, startedAt, failure: this.#masked(claimed, failure) });
  }

  giveBack(messages: readonly ClaimedMessage[]): void {
    this.#consequences.giveBack(messages);
  }

  /** Replaces the text that records, logs and reports get. */
  #masked({ message }: ClaimedMessage, failure: Failure): Failure {
    const { maskError } = this.#context;
    return maskError ? { ...failure, message: maskError(message, failure.message) } : failure;
  }

  #published(claimed: ClaimedMessage, timing: Timing): void {
    // A retry may be ahead of its aggregate; messages before it are not late.
    if (!claimed.retry) this.#state.late.wentOut(claimed.message);
    this.#consequences.publish(claimed, timing);
    this.#state.routes.noteSuccess(claimed.message, timing.startedMs + timing.durationMs);
    this.#sinkWorks(claimed, timing);
  }

  /**
   * A probe found no other event type to try the sink with. If only one type has failed and others got through just
   * before, its route is blamed. If the sink is at fault after all, the next message shows it.
   */
  nothingElse(): void {
    const { breaker, routes } = this.#state;
    const route = routes.onlyOneFailing();
    if (!route || !breaker.isOpen) return;
    breaker.close(performance.now());
    this.#blame(route);
    this.#works();
  }

  /** Gives back the whole lane: later messages must not overtake the aborted one. */
  #aborted(claimed: ClaimedMessage): void {
    if (this.#state.breaker.probing) this.#state.breaker.probeAborted();
    this.giveBack([claimed, ...this.#state.lanes.empty(claimed.lane)]);
  }

  #rejected(tried: Tried, unsent: boolean): void {
    this.#consequences.deadLetter(tried);
    if (!unsent) this.#sinkWorks(tried.claimed, tried);
    else if (this.#state.breaker.probing) this.#state.breaker.probeAborted();
  }

  /** An answer about one message shows that the sink and the message's route work. */
  #sinkWorks(claimed: ClaimedMessage, { startedMs }: Timing): void {
    const { breaker, routes } = this.#state;
    if (breaker.probing) {
      routes.sinkRecovered(claimed.message);
      const wasAnswered = isAnswer(breaker.code);
      breaker.close(performance.now());
      if (wasAnswered) this.#record.doubt();
      this.#sinkFault.recovered(claimed);
      this.#context.log.info("the sink works again");
      this.#works();
    }
    this.#record.worked();
    if (routes.troubled) this.#routeWorks(claimed, startedMs);
    if (this.#undecided.size === 0) return;
    this.#blameRoutes(this.#undecided.of((tried) => isOfRoute(tried) && startedMs > tried.failedMs));
    const explained = this.#undecided.take((tried) => !isSign(tried.failure) || startedMs > tried.failedMs);
    const open = explained.filter(({ recorded }) => !recorded);
    this.#consequences.chargeAttempts(
      open.filter(({ subject }) => !isSign(subject.failure)).map(({ subject }) => subject),
    );
    this.#sinkFault.refused(open.filter(({ subject }) => isSign(subject.failure)));
  }

  #routeWorks(claimed: ClaimedMessage, startedMs: number): void {
    const { closed, toBlame } = this.#state.routes.succeeded(claimed.message, startedMs);
    if (closed) {
      this.#keeper().end(closed);
      this.#context.stats.overcome(closed.lastFailure?.message);
    }
    for (const route of toBlame) this.#blame(route);
  }

  #probeFailed(tried: Tried): void {
    const { claimed, failure, failedMs } = tried;
    const { breaker, lanes, routes } = this.#state;
    this.#context.stats.lastError = failure.message;
    breaker.probeFailed(failure, failedMs);
    if (!routes.openRouteOf(claimed.message)) routes.failed(claimed.message, failure, failedMs);
    this.giveBack([claimed, ...lanes.empty(claimed.lane)]);
  }

  /** True if the message's route is known to be at fault: the message goes back and says nothing about the sink. */
  #routeFailed({ claimed, failure, failedMs }: Tried): boolean {
    const route = this.#state.routes.openRouteOf(claimed.message);
    if (!route) return false;
    this.#context.stats.lastError = failure.message;
    route.lastFailure = failure;
    if (route.probeId === claimed.message.id) {
      route.probeId = null;
      route.breaker.probeFailed(failure, failedMs);
    }
    this.#keeper().giveBack(route, claimed);
    return true;
  }

  #unclear(tried: Tried): void {
    const { claimed, failure, failedMs } = tried;
    const { breaker, lanes, routes, withheld } = this.#state;
    this.#context.stats.lastError = failure.message;
    if (this.#blocks(claimed)) {
      const waiting = lanes.empty(claimed.lane);
      withheld.block(claimed.lane.key ?? "", claimed.message.order, !claimed.retry);
      this.giveBack(waiting);
    }
    const fresh = !claimed.retry;
    this.#record.failed(claimed.message.id, fresh);
    if (breaker.isOpen) {
      this.giveBack([claimed]);
      return;
    }
    this.#undecided.add(claimed.lane.key ?? claimed.message.id, tried, fresh);
    const route = routes.failed(claimed.message, failure, failedMs);
    if (route) this.#blame(route);
    else if (this.#undecided.showSinkAtFault(this.#record.needed) && !this.#mayBePart())
      this.#sinkFault.sinkAtFault(failure, this.#undecided.clear());
    else this.#awaitEvidence();
  }

  /**
   * True if all undecided failures are of a topic, partition or stream, and a message got through just now: even with
   * many failing aggregates, the rest of the sink may work. If it does not, nothing gets through for a second.
   */
  #mayBePart(): boolean {
    return this.#record.worksMaybe && !this.#undecided.some(({ subject }) => !isOfRoute(subject));
  }

  #awaitEvidence(): void {
    this.#evidenceTimer ??= setTimeout(() => {
      this.#evidenceTimer = undefined;
      this.noMoreEvidence();
    }, EVIDENCE_WAIT_MS);
  }

  /** Blames the route for its messages' failures, including attempts that were already written as failed. */
  #blame(route: Route): void {
    const { routes } = this.#state;
    const taken = this.#undecided.take(({ claimed }) => routes.isOf(claimed.message, route));
    const open = taken.filter(({ recorded }) => !recorded).map(({ subject }) => subject.claimed);
    const written = [...route.written.values()];
    route.written.clear();
    this.#keeper().begin(route, open);
    this.giveBack(open);
    this.#consequences.refundAttempts(written);
  }

  /** Blames the routes of failures that are known to be theirs, while others get through. */
  #blameRoutes(failures: readonly Tried[]): void {
    for (const { claimed, failedMs } of failures) {
      const route = this.#state.routes.atFault(claimed.message, failedMs);
      if (route) this.#blame(route);
    }
  }

  #blocks(claimed: ClaimedMessage): boolean {
    return this.#context.settings.onFailure === "block" && claimed.lane.key !== null;
  }
}
