import type { Failure } from "#domain/failure.ts";
import type { Breaker } from "../state/breaker.ts";
import type { Lanes } from "../state/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { nameOf } from "../state/routes.ts";
import type { Suspect } from "./ambiguous-failures.ts";
import type { Consequences, Tried } from "./consequences.ts";
import { isSign, sparesMessage } from "./failure-signs.ts";
import type { Falls } from "./falls.ts";

interface BlameState {
  breaker: Breaker;
  lanes: Lanes;
}

/** Applies the consequences of failures to their messages, once it is known whether the sink is at fault. */
export class SinkBlame {
  readonly #context: PipelineContext;
  readonly #state: BlameState;
  readonly #consequences: Consequences;
  readonly #falls: Falls;
  /** Messages whose failures opened the breaker. */
  #openers: Suspect<Tried>[] = [];

  constructor(context: PipelineContext, state: BlameState, own: { consequences: Consequences; falls: Falls }) {
    this.#context = context;
    this.#state = state;
    this.#consequences = own.consequences;
    this.#falls = own.falls;
  }

  /** The sink is down. Messages left without an answer then are forgiven, unless that happens to them repeatedly. */
  sinkDown(failure: Failure, suspects: readonly Suspect<Tried>[]): void {
    this.#openBreaker(failure, suspects);
    this.#openers = suspects.filter(({ subject }) => isSign(subject.failure));
    this.#consequences.acquit(this.#openers);
    const [innocent, guilty] = this.#falls.count(suspects.filter(({ subject }) => !isSign(subject.failure)));
    this.#consequences.burn(guilty.filter(({ recorded }) => !recorded).map(({ subject }) => subject));
    this.#consequences.acquit(innocent);
  }

  /** The sink answers every message with an error: no message is to blame. */
  sinkAtFault(failure: Failure, suspects: readonly Suspect<Tried>[]): void {
    this.#openBreaker(failure, suspects);
    this.#consequences.acquit(suspects);
  }

  /** A probe got through. The messages whose failures opened the breaker are suspected of having done so. */
  recovered({ message }: Tried["held"]): void {
    this.#falls.count(this.#openers.filter(({ subject }) => subject.held.message.id !== message.id));
    this.#openers = [];
  }

  /**
   * The sink refused these as if it were down, but took others, so the cause is the message or its aggregate. A message
   * that is throttled or whose route is at fault waits and uses up no attempt. Others are tried again at once, and use
   * up attempts from the third time on.
   */
  refused(suspects: readonly Suspect<Tried>[]): void {
    const spared = suspects.filter(({ subject }) => sparesMessage(subject.failure));
    const [innocent, guilty] = this.#falls.count(suspects.filter((one) => !spared.includes(one)));
    this.#consequences.acquit(innocent);
    this.#consequences.burn(guilty.map(({ subject }) => subject));
    this.postpone(spared);
  }

  postpone(suspects: readonly Suspect<Tried>[]): void {
    this.#falls.count(suspects);
    for (const { subject } of suspects) this.#consequences.postpone(subject, this.#falls.of(subject.held));
  }

  #openBreaker(failure: Failure, suspects: readonly Suspect<Tried>[]): void {
    const { breaker, lanes } = this.#state;
    // Failures before the last success, or of another kind, had another cause, such as a poison message.
    const workedMs = this.#context.stats.lastPublished?.monoMs ?? 0;
    const alike = suspects.filter(({ subject }) => subject.failure.code === failure.code);
    const failedMs = alike.map(({ subject }) => subject.failedMs).filter((ms) => ms > workedMs);
    const sinceMs = Math.min(performance.now(), ...failedMs);
    if (!breaker.open(failure, performance.now(), sinceMs)) return;
    breaker.noteTypes(suspects.map(({ subject }) => subject.held.message.eventType));
    breaker.noteAggregates(suspects.map(({ subject }) => nameOf(subject.held.message)));
    this.#context.log.warn({ code: failure.code, error: failure.message }, "the sink cannot be used: holding");
    this.#consequences.giveBack(lanes.emptyAll());
  }
}
