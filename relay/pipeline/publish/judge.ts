import type { Failure } from "#domain/failure.ts";
import type { PublishOutcome } from "#relay/sinks/sink.ts";
import type { Held } from "../state/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Route } from "../state/routes.ts";
import { Suspects } from "./ambiguous-failures.ts";
import { Consequences, type Tried } from "./consequences.ts";
import { isAnswer, isOfRoute, isSign, isSilence, sparesMessage } from "./failure-signs.ts";
import { Falls } from "./falls.ts";
import type { JudgeEvents, JudgeState } from "./judge-state.ts";
import type { Timing } from "./publisher.ts";
import { SinkBlame } from "./sink-blame.ts";
import { EVIDENCE_MS, SinkRecord } from "./sink-record.ts";

/**
 * Decides what a sink's outcome means by blaming the smallest part that explains it: the message, its route, or the
 * sink. A message rejected for good is dead. Any other failure is unclear until another message gets through, three
 * aggregates have failed without a success between, or no message is left to try. Then environment failures and missing
 * answers are blamed on the sink, and others use up an attempt. Attempts are refunded if the route or the sink turns
 * out to be at fault.
 */
export class Judge {
  readonly #context: PipelineContext;
  readonly #state: JudgeState;
  readonly #consequences: Consequences;
  readonly #falls: Falls;
  readonly #works: () => void;
  readonly #keeper: JudgeEvents["keeper"];
  readonly #suspects = new Suspects<Tried>();
  readonly #record = new SinkRecord();
  readonly #blamed: SinkBlame;
  #evidenceTimer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(context: PipelineContext, state: JudgeState, events: JudgeEvents) {
    this.#context = context;
    this.#state = state;
    this.#consequences = new Consequences(context, state, events);
    this.#falls = new Falls(state.falls);
    this.#blamed = new SinkBlame(context, state, { consequences: this.#consequences, falls: this.#falls });
    this.#works = events.works;
    this.#keeper = events.keeper;
  }

  judge(held: Held, outcome: PublishOutcome, timing: Timing): void {
    // The breaker and the routes outlive the term, so results of its last calls must not end the next term's probes.
    if (this.#stopped) return;
    if (outcome.kind === "published") {
      this.#published(held, timing);
      return;
    }
    if (outcome.kind === "aborted") {
      this.#aborted(held);
      return;
    }
    const failure = this.#masked(held, outcome.failure);
    const tried = { ...timing, held, failure, failedMs: performance.now() };
    if (failure.kind === "message") this.#rejected(tried);
    else if (this.#state.breaker.probing) this.#probeFailed(tried);
    else if (!this.#routeFailed(tried)) this.#unclear(tried);
  }

  /**
   * Decides open failures, because no further success is expected to clear the sink. If one came just now, the sink is
   * blamed only once nothing has got through for a second, unless this is `final`.
   */
  noMoreEvidence(final = false): void {
    if (!this.#suspects.hasUnrecorded) return;
    const worksMaybe = !final && this.#record.worksMaybe;
    const sign = this.#suspects.find(
      (tried) => (isSign(tried.failure) || isSilence(tried.failure)) && !this.#fellAlone(tried),
    );
    const last = this.#suspects.areSeveral
      ? this.#suspects.find((tried) => !(isOfRoute(tried) && this.#fellAlone(tried)))
      : undefined;
    if ((sign || last) && worksMaybe) {
      this.#awaitEvidence();
      return;
    }
    if (sign) {
      const taken = this.#suspects.take(({ failure }) => isSign(failure) || !isAnswer(failure.code));
      this.#blamed.sinkDown(sign.failure, taken);
      return;
    }
    if (last) {
      // At the end of a term the sink is not judged; the next term will do that.
      if (final) this.giveBack(this.#takeUndecided());
      else this.#blamed.sinkAtFault(last.failure, this.#suspects.clear());
      return;
    }
    this.#blameRoutes(this.#suspects.of((tried) => isOfRoute(tried) && this.#fellAlone(tried)));
    const spared = this.#suspects.take(({ failure }) => sparesMessage(failure));
    this.#blamed.postpone(spared.filter(({ recorded }) => !recorded));
    this.#consequences.burn(this.#suspects.record().map(({ subject }) => subject));
  }

  #takeUndecided(): Held[] {
    return this.#suspects.take(() => true).flatMap(({ recorded, subject }) => (recorded ? [] : subject.held));
  }

  /** True if others got through before, so one more failure says nothing about the sink. */
  #fellAlone({ failure, held }: Tried): boolean {
    return failure.kind === "route" ? this.#falls.has(held) : this.#falls.exceed(held);
  }

  /**
   * True if several failures are undecided where many messages fail on their own: one of the last messages then says
   * more.
   */
  get wantsEvidence(): boolean {
    return this.#suspects.hasUnrecorded && this.#suspects.areSeveral && this.#record.wantsEvidence;
  }

  beginEvidence(): void {
    this.#record.beginEvidence();
  }

  /** The message is published as evidence; null if there is none. */
  foundEvidence(id: string | null): void {
    this.#record.foundEvidence(id);
  }

  /** True while a failure of the aggregate is undecided. */
  suspects(key: string): boolean {
    return this.#suspects.some((suspect) => suspect.key === key && !suspect.recorded);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#evidenceTimer);
  }

  /** Makes a message dead without another attempt. */
  condemn(held: Held, input: { failure: Failure; startedAt: Date }): void {
    const { failure, startedAt } = input;
    this.#consequences.kill({ held, durationMs: null, startedAt, failure: this.#masked(held, failure) });
  }

  giveBack(messages: readonly Held[]): void {
    this.#consequences.giveBack(messages);
  }

  /** Replaces the text that records, logs and reports get. */
  #masked({ message }: Held, failure: Failure): Failure {
    const { maskError } = this.#context;
    return maskError ? { ...failure, message: maskError(message, failure.message) } : failure;
  }

  #published(held: Held, timing: Timing): void {
    // A retry may be ahead of its aggregate; messages before it are not late.
    if (!held.retry) this.#state.late.wentOut(held.message);
    this.#consequences.publish(held, timing);
    this.#state.routes.noteSuccess(held.message, timing.startedMs + timing.durationMs);
    this.#sinkWorks(held, timing);
  }

  /**
   * A probe found no other event type to try the sink with. If only one type has failed and others got through just
   * before, its route is blamed. If the sink is at fault after all, the next message shows it.
   */
  nothingElse(): void {
    const { breaker, routes } = this.#state;
    const route = routes.onlyOneFailing();
    if (!route || !breaker.holds) return;
    breaker.close(performance.now());
    this.#blame(route);
    this.#works();
  }

  /** Gives back the whole lane: later messages must not overtake the aborted one. */
  #aborted(held: Held): void {
    if (this.#state.breaker.probing) this.#state.breaker.probeAborted();
    this.giveBack([held, ...this.#state.lanes.empty(held.lane)]);
  }

  #rejected(tried: Tried): void {
    const { held, failure } = tried;
    this.#consequences.kill(tried);
    // A message that could not be addressed never reached the sink.
    if (failure.code !== "unroutable") this.#sinkWorks(held, tried);
    else if (this.#state.breaker.probing) this.#state.breaker.probeAborted();
  }

  /** An answer about one message shows that the sink and the message's route work. */
  #sinkWorks(held: Held, { startedMs }: Timing): void {
    const { breaker, routes } = this.#state;
    if (breaker.probing) {
      routes.sinkRecovered(held.message);
      const wasAnswered = isAnswer(breaker.code);
      breaker.close(performance.now());
      if (wasAnswered) this.#record.doubt();
      this.#blamed.recovered(held);
      this.#context.log.info("the sink works again");
      this.#works();
    }
    this.#record.worked();
    if (routes.troubled) this.#routeWorks(held, startedMs);
    if (this.#suspects.size === 0) return;
    this.#blameRoutes(this.#suspects.of((tried) => isOfRoute(tried) && startedMs > tried.failedMs));
    const explained = this.#suspects.take((tried) => !isSign(tried.failure) || startedMs > tried.failedMs);
    const open = explained.filter(({ recorded }) => !recorded);
    this.#consequences.burn(open.filter(({ subject }) => !isSign(subject.failure)).map(({ subject }) => subject));
    this.#blamed.refused(open.filter(({ subject }) => isSign(subject.failure)));
  }

  #routeWorks(held: Held, startedMs: number): void {
    const { closed, toBlame } = this.#state.routes.succeeded(held.message, startedMs);
    if (closed) {
      this.#keeper().end(closed);
      this.#context.stats.overcome(closed.lastFailure?.message);
    }
    for (const route of toBlame) this.#blame(route);
  }

  #probeFailed(tried: Tried): void {
    const { held, failure, failedMs } = tried;
    const { breaker, lanes, routes } = this.#state;
    this.#context.stats.lastError = failure.message;
    breaker.probeFailed(failure, failedMs);
    if (!routes.holding(held.message)) routes.failed(held.message, failure, failedMs);
    this.giveBack([held, ...lanes.empty(held.lane)]);
  }

  /** True if the message's route is known to be at fault: the message goes back and says nothing about the sink. */
  #routeFailed({ held, failure, failedMs }: Tried): boolean {
    const route = this.#state.routes.holding(held.message);
    if (!route) return false;
    this.#context.stats.lastError = failure.message;
    route.lastFailure = failure;
    if (route.probeId === held.message.id) {
      route.probeId = null;
      route.breaker.probeFailed(failure, failedMs);
    }
    this.#keeper().giveBack(route, held);
    return true;
  }

  #unclear(tried: Tried): void {
    const { held, failure, failedMs } = tried;
    const { breaker, lanes, routes, withheld } = this.#state;
    this.#context.stats.lastError = failure.message;
    if (this.#blocks(held)) {
      const waiting = lanes.empty(held.lane);
      withheld.block(held.lane.key ?? "", held.message.order, !held.retry);
      this.giveBack(waiting);
    }
    const fresh = !held.retry;
    this.#record.failed(held.message.id, fresh);
    if (breaker.holds) {
      this.giveBack([held]);
      return;
    }
    this.#suspects.add(held.lane.key ?? held.message.id, tried, fresh);
    const route = routes.failed(held.message, failure, failedMs);
    if (route) this.#blame(route);
    else if (this.#suspects.convict(this.#record.needed) && !this.#mayBePart())
      this.#blamed.sinkAtFault(failure, this.#suspects.clear());
    else this.#awaitEvidence();
  }

  /**
   * True if all undecided failures are of a topic, partition or stream, and a message got through just now: even with
   * many failing aggregates, the rest of the sink may work. If it does not, nothing gets through for a second.
   */
  #mayBePart(): boolean {
    return this.#record.worksMaybe && !this.#suspects.some(({ subject }) => !isOfRoute(subject));
  }

  #awaitEvidence(): void {
    this.#evidenceTimer ??= setTimeout(() => {
      this.#evidenceTimer = undefined;
      this.noMoreEvidence();
    }, EVIDENCE_MS);
  }

  /** Blames the route for its messages' failures, including attempts that were already written as failed. */
  #blame(route: Route): void {
    const { routes } = this.#state;
    const suspects = this.#suspects.take(({ held }) => routes.isOf(held.message, route));
    const open = suspects.filter(({ recorded }) => !recorded).map(({ subject }) => subject.held);
    const written = [...route.written.values()];
    route.written.clear();
    this.#keeper().begin(route, open);
    this.giveBack(open);
    this.#consequences.takeBack(written);
  }

  /** Blames the routes of failures that are known to be theirs, while others get through. */
  #blameRoutes(failures: readonly Tried[]): void {
    for (const { held, failedMs } of failures) {
      const route = this.#state.routes.atFault(held.message, failedMs);
      if (route) this.#blame(route);
    }
  }

  #blocks(held: Held): boolean {
    return this.#context.settings.onFailure === "block" && held.lane.key !== null;
  }
}
