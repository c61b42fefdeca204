import type { MessageOutcome } from "#db/stores/port/relay/settle.ts";
import type { Failure } from "#domain/failure.ts";
import { retryDelayMs } from "#domain/retry-policy.ts";
import type { PublishOutcome } from "#relay/sinks/sink.ts";
import type { Breaker } from "../state/breaker.ts";
import type { Held, Lanes } from "../state/lanes.ts";
import type { LateCommits } from "../state/late-commits.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Retries } from "../state/retries.ts";
import type { Route, Routes } from "../state/routes.ts";
import type { Undo } from "../state/undo.ts";
import type { Withheld } from "../state/withheld.ts";
import { type Suspect, Suspects } from "./ambiguous-failures.ts";
import type { Timing } from "./publisher.ts";
import type { RouteKeeper } from "./route-keeper.ts";

export interface JudgeState {
  lanes: Lanes;
  withheld: Withheld;
  retries: Retries;
  breaker: Breaker;
  routes: Routes;
  late: LateCommits;
  /** By message id: how often the sink went away while it had the message, or refused it while others got through. */
  falls: Map<string, number>;
}

interface Tried extends Timing {
  held: Held;
  failure: Failure;
  failedMs: number;
}

/** Longest wait for evidence before an unclear failure is blamed on its message or on the sink. */
const EVIDENCE_MS = 1000;
/** How often the sink may go away with a message before the message is suspected of taking it down. */
const FALLS_FORGIVEN = 2;
/** Failures that are the endpoint's own answer: it was reachable. */
const ANSWERED: ReadonlySet<string> = new Set(["server_error", "unknown", "unavailable"]);
/** Most messages counted in `falls`; above it all are forgotten. */
const MOST_REMEMBERED = 10_000;

/**
 * Decides what a sink's outcome means (R3) by blaming the smallest part that explains it: the message, its route, or the
 * sink. A message rejected for good is dead. Any other failure is unclear until another message gets through, three
 * aggregates have failed without a success between, or nothing is left to try. Then environment failures are blamed on the
 * sink, and others burn an attempt. Attempts are given back if the route or the sink turns out to be at fault.
 */
export class Judge {
  readonly #context: PipelineContext;
  readonly #state: JudgeState;
  readonly #decide: (held: Held, outcome: MessageOutcome) => void;
  readonly #undo: (undo: Undo[]) => void;
  readonly #works: () => void;
  readonly #keeper: () => Pick<RouteKeeper, "begin" | "end" | "giveBack">;
  readonly #suspects = new Suspects<Tried>();
  #evidenceTimer: NodeJS.Timeout | undefined;

  constructor(
    context: PipelineContext,
    state: JudgeState,
    events: {
      decide: (held: Held, outcome: MessageOutcome) => void;
      /** Takes back attempts that were written as burned and were not the message's fault. */
      undo: (undo: Undo[]) => void;
      /** The breaker has closed. */
      works: () => void;
      /** Holds back the messages of routes at fault. */
      keeper: () => Pick<RouteKeeper, "begin" | "end" | "giveBack">;
    },
  ) {
    this.#context = context;
    this.#state = state;
    this.#decide = events.decide;
    this.#undo = events.undo;
    this.#works = events.works;
    this.#keeper = events.keeper;
  }

  judge(held: Held, outcome: PublishOutcome, timing: Timing): void {
    if (outcome.kind === "published") {
      this.#published(held, timing);
      return;
    }
    if (outcome.kind === "aborted") {
      this.#aborted(held);
      return;
    }
    const { failure } = outcome;
    const tried = { ...timing, held, failure, failedMs: performance.now() };
    if (failure.kind === "message") this.#rejected(tried);
    else if (this.#state.breaker.probing) this.#probeFailed(tried);
    else if (!this.#routeFailed(tried)) this.#unclear(tried);
  }

  /** Decides open failures, because no further success is expected to clear the sink. */
  noMoreEvidence(): void {
    if (!this.#suspects.hasUnrecorded) return;
    const sign = this.#suspects.find(({ failure, held }) => isSign(failure) && !this.#isKnown(held));
    if (sign) this.#sinkDown(sign.failure);
    else this.#burn(this.#suspects.record().map(({ subject }) => subject));
  }

  /** True while a failure of the aggregate is undecided. */
  suspects(key: string): boolean {
    return this.#suspects.some((suspect) => suspect.key === key && !suspect.recorded);
  }

  stop(): void {
    clearTimeout(this.#evidenceTimer);
  }

  /** Makes a message dead without another attempt. */
  condemn(held: Held, input: { failure: Failure; startedAt: Date }): void {
    this.#decide(held, { kind: "dead", durationMs: null, ...input });
    this.#context.stats.failures += 1;
    this.#context.stats.lastError = input.failure.message;
  }

  giveBack(messages: readonly Held[]): void {
    for (const held of messages) {
      this.#state.lanes.giveBack(held);
      this.#decide(held, { kind: "given_back" });
    }
  }

  #published(held: Held, timing: Timing): void {
    // A retry may be ahead of its aggregate; messages before it are not late.
    if (!held.retry) this.#state.late.wentOut(held.message);
    this.#decide(held, { kind: "published", startedAt: timing.startedAt, durationMs: timing.durationMs });
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
    const { held, failure, startedAt, durationMs } = tried;
    this.#decide(held, { kind: "dead", failure, startedAt, durationMs });
    this.#context.stats.failures += 1;
    this.#context.stats.lastError = failure.message;
    // A message that could not be addressed never reached the sink.
    if (failure.code === "unroutable" && !this.#state.breaker.probing) return;
    this.#sinkWorks(held, tried);
  }

  /** An answer about one message shows that the sink and the message's route work. */
  #sinkWorks(held: Held, { startedMs }: Timing): void {
    const { breaker, routes } = this.#state;
    if (breaker.probing) {
      routes.sinkRecovered(held.message);
      breaker.close(performance.now());
      this.#context.log.info("the sink works again");
      this.#works();
    }
    if (routes.troubled) this.#routeWorks(held, startedMs);
    if (this.#suspects.size === 0) return;
    const explained = this.#suspects.take((tried) => !isSign(tried.failure) || startedMs > tried.failedMs);
    const open = explained.filter(({ recorded }) => !recorded);
    this.#burn(open.filter(({ subject }) => !isSign(subject.failure)).map(({ subject }) => subject));
    this.#refused(open.filter(({ subject }) => isSign(subject.failure)));
  }

  #routeWorks(held: Held, startedMs: number): void {
    const { closed, toBlame } = this.#state.routes.succeeded(held.message, startedMs);
    if (closed) this.#keeper().end(closed);
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
    if (route.probeId === held.message.id) {
      route.probeId = null;
      route.breaker.probeFailed(failure, failedMs);
    }
    this.#keeper().giveBack(route, held);
    return true;
  }

  /** Messages left without an answer when the sink went away are forgiven, unless that happens to them repeatedly. */
  #sinkDown(failure: Failure): void {
    const taken = this.#suspects.take((one) => isSign(one.failure) || !ANSWERED.has(one.failure.code));
    this.#openBreaker(failure, taken);
    this.#acquit(taken.filter(({ subject }) => isSign(subject.failure)));
    this.#forgive(taken.filter(({ subject }) => !isSign(subject.failure)));
  }

  #forgive(suspects: readonly Suspect<Tried>[]): void {
    const [innocent, guilty] = this.#counted(suspects);
    this.#burn(guilty.filter(({ recorded }) => !recorded).map(({ subject }) => subject));
    this.#acquit(innocent);
  }

  /**
   * The sink refused these as if it were down, but took others, so the cause is the message or its aggregate. A
   * throttled message waits and loses nothing. Others are tried again at once, and burn attempts from the third time
   * on.
   */
  #refused(suspects: readonly Suspect<Tried>[]): void {
    const throttled = suspects.filter(({ subject }) => subject.failure.code === "throttled");
    const [innocent, guilty] = this.#counted(suspects.filter((one) => !throttled.includes(one)));
    this.#acquit(innocent);
    this.#burn(guilty.map(({ subject }) => subject));
    this.#counted(throttled);
    for (const { subject } of throttled) this.#fail(subject, this.#state.falls.get(subject.held.message.id) ?? 1, true);
  }

  /** Counts one fall for each; returns those whose number may still be chance, and the others. */
  #counted(suspects: readonly Suspect<Tried>[]): [Suspect<Tried>[], Suspect<Tried>[]] {
    const { falls: remembered } = this.#state;
    if (remembered.size > MOST_REMEMBERED) remembered.clear();
    const [innocent, guilty] = [[] as Suspect<Tried>[], [] as Suspect<Tried>[]];
    for (const suspect of suspects) {
      const { id } = suspect.subject.held.message;
      const falls = (remembered.get(id) ?? 0) + 1;
      remembered.set(id, falls);
      (falls > FALLS_FORGIVEN ? guilty : innocent).push(suspect);
    }
    return [innocent, guilty];
  }

  /** True if the message has fallen too often: one more failure says nothing about the sink. */
  #isKnown({ message }: Held): boolean {
    return (this.#state.falls.get(message.id) ?? 0) > FALLS_FORGIVEN;
  }

  #openBreaker(failure: Failure, suspects: readonly Suspect<Tried>[]): void {
    const { breaker, lanes } = this.#state;
    const sinceMs = Math.min(performance.now(), ...suspects.map(({ subject }) => subject.failedMs));
    if (!breaker.open(failure, performance.now(), sinceMs)) return;
    breaker.noteTypes(suspects.map(({ subject }) => subject.held.message.eventType));
    this.#context.log.warn({ code: failure.code, error: failure.message }, "the sink cannot be used: holding");
    this.giveBack(lanes.emptyAll());
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
    if (breaker.holds) {
      this.giveBack([held]);
      return;
    }
    this.#suspects.add(held.lane.key ?? held.message.id, tried);
    const route = routes.failed(held.message, failure, failedMs);
    if (route) this.#blame(route);
    else if (this.#suspects.convict) this.#sinkAtFault(failure);
    else this.#awaitEvidence();
  }

  #awaitEvidence(): void {
    this.#evidenceTimer ??= setTimeout(() => {
      this.#evidenceTimer = undefined;
      this.noMoreEvidence();
    }, EVIDENCE_MS);
  }

  #sinkAtFault(failure: Failure): void {
    const suspects = this.#suspects.clear();
    this.#openBreaker(failure, suspects);
    this.#acquit(suspects);
  }

  /** Blames the route for its messages' failures, including attempts that were already written as burned. */
  #blame(route: Route): void {
    const { routes } = this.#state;
    const suspects = this.#suspects.take(({ held }) => routes.isOf(held.message, route));
    const open = suspects.filter(({ recorded }) => !recorded).map(({ subject }) => subject.held);
    const undo = [...route.burned].map(([id, attempts]) => ({ id, attempts }));
    route.burned.clear();
    this.#keeper().begin(route, open);
    this.giveBack(open);
    if (undo.length > 0) this.#undo(undo);
  }

  #blocks(held: Held): boolean {
    return this.#context.settings.onFailure === "block" && held.lane.key !== null;
  }

  /** The messages are not to blame: gives them back and takes back their burned attempts. */
  #acquit(suspects: readonly Suspect<Tried>[]): void {
    this.giveBack(suspects.filter(({ recorded }) => !recorded).map(({ subject }) => subject.held));
    const counts = new Map<string, number>();
    for (const { recorded, subject } of suspects) {
      if (!recorded) continue;
      const { id } = subject.held.message;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      this.#state.routes.forgetBurned(subject.held.message);
    }
    if (counts.size > 0) this.#undo([...counts].map(([id, attempts]) => ({ id, attempts })));
  }

  #burn(suspects: readonly Tried[]): void {
    for (const tried of suspects) {
      const { held, failure, startedAt, durationMs } = tried;
      const attempts = held.message.attempts + 1;
      if (attempts < this.#context.table.maxAttempts) {
        this.#state.routes.burned(held.message);
        this.#fail(tried, attempts);
        continue;
      }
      this.#context.stats.failures += 1;
      this.#state.routes.forgetBurned(held.message);
      this.#decide(held, { kind: "dead", failure, startedAt, durationMs });
    }
  }

  /** `times`: number of failures, for the back-off. `spares`: no attempt is used up. */
  #fail({ held, failure, startedAt, durationMs }: Tried, times: number, spares = false): void {
    this.#context.stats.failures += 1;
    const policy = { ...this.#context.settings.retry, maxAttempts: this.#context.table.maxAttempts };
    const nextAttemptInMs = Math.max(retryDelayMs(policy, times, Math.random()), failure.retryAfterMs ?? 0);
    const outcome = { kind: "failed", failure, startedAt, durationMs, nextAttemptInMs } as const;
    this.#decide(held, spares ? { ...outcome, spares } : outcome);
  }
}

/** True if the failure means that the sink cannot be used, whatever the message. */
function isSign(failure: Failure): boolean {
  return failure.kind === "environment";
}
