import type { Failure } from "#domain/failure.ts";
import type { Breaker } from "../state/breaker.ts";
import { laneNameOf } from "../state/lanes/lane-name.ts";
import type { Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Consequences, Tried } from "./consequences.ts";
import { isSign, sparesMessage } from "./failure-signs.ts";
import type { SinkFailureCounts } from "./sink-failure-counts.ts";
import type { UndecidedFailure } from "./undecided-failures.ts";

interface SinkFaultState {
  breaker: Breaker;
  lanes: Lanes;
}

/** Applies the consequences of failures to their messages, once it is known whether the sink is at fault. */
export class SinkFault {
  readonly #context: PipelineContext;
  readonly #state: SinkFaultState;
  readonly #consequences: Consequences;
  readonly #sinkFailures: SinkFailureCounts;
  /** Messages whose failures opened the breaker. */
  #openers: UndecidedFailure<Tried>[] = [];

  constructor(
    context: PipelineContext,
    state: SinkFaultState,
    own: { consequences: Consequences; sinkFailures: SinkFailureCounts },
  ) {
    this.#context = context;
    this.#state = state;
    this.#consequences = own.consequences;
    this.#sinkFailures = own.sinkFailures;
  }

  /** The sink is down. Messages left without an answer then are forgiven, unless that happens to them repeatedly. */
  sinkDown(failure: Failure, failures: readonly UndecidedFailure<Tried>[]): void {
    this.#openBreaker(failure, failures);
    this.#openers = failures.filter(({ subject }) => isSign(subject.failure));
    this.#consequences.refund(this.#openers);
    const [seldom, often] = this.#sinkFailures.count(failures.filter(({ subject }) => !isSign(subject.failure)));
    this.#consequences.chargeAttempts(often.filter(({ recorded }) => !recorded).map(({ subject }) => subject));
    this.#consequences.refund(seldom);
  }

  /** The sink answers every message with an error: no message is to blame. */
  sinkAtFault(failure: Failure, failures: readonly UndecidedFailure<Tried>[]): void {
    this.#openBreaker(failure, failures);
    this.#consequences.refund(failures);
  }

  /** A probe got through. The messages whose failures opened the breaker are suspected of having done so. */
  recovered({ message }: Tried["claimed"]): void {
    this.#sinkFailures.count(this.#openers.filter(({ subject }) => subject.claimed.message.id !== message.id));
    this.#openers = [];
  }

  /**
   * The sink refused these as if it were down, but took others, so the cause is the message or its aggregate. A message
   * that is throttled or whose route is at fault waits and uses up no attempt. Others are tried again at once, and use
   * up attempts from the third time on.
   */
  refused(failures: readonly UndecidedFailure<Tried>[]): void {
    const spared = failures.filter(({ subject }) => sparesMessage(subject.failure));
    const [seldom, often] = this.#sinkFailures.count(failures.filter((one) => !spared.includes(one)));
    this.#consequences.refund(seldom);
    this.#consequences.chargeAttempts(often.map(({ subject }) => subject));
    this.postpone(spared);
  }

  postpone(failures: readonly UndecidedFailure<Tried>[]): void {
    this.#sinkFailures.count(failures);
    for (const { subject } of failures) this.#consequences.postpone(subject, this.#sinkFailures.of(subject.claimed));
  }

  #openBreaker(failure: Failure, failures: readonly UndecidedFailure<Tried>[]): void {
    const { breaker, lanes } = this.#state;
    // Failures before the last success, or of another kind, had another cause, such as a poison message.
    const workedMs = this.#context.stats.lastPublished?.monoMs ?? 0;
    const alike = failures.filter(({ subject }) => subject.failure.code === failure.code);
    const failedMs = alike.map(({ subject }) => subject.failedMs).filter((ms) => ms > workedMs);
    const sinceMs = Math.min(performance.now(), ...failedMs);
    if (!breaker.open(failure, performance.now(), sinceMs)) return;
    breaker.noteTypes(failures.map(({ subject }) => subject.claimed.message.eventType));
    breaker.noteAggregates(failures.map(({ subject }) => laneNameOf(subject.claimed.message)));
    this.#context.log.warn({ code: failure.code, error: failure.message }, "the sink cannot be used: holding");
    this.#consequences.giveBack(lanes.emptyAll());
  }
}
