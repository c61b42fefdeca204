import type { MessageOutcome } from "#db/outbox/settle.ts";
import type { Failure } from "#domain/failure.ts";
import { retryDelayMs } from "#domain/retry-policy.ts";
import type { PublishOutcome } from "../sinks/sink.ts";
import type { Breaker } from "./breaker.ts";
import type { Held, Lanes } from "./lanes.ts";
import type { LateCommits } from "./late-commits.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import type { Timing } from "./publisher.ts";
import type { Retries } from "./retries.ts";
import { type Suspect, Suspects } from "./suspects.ts";
import type { Withheld } from "./withheld.ts";

export interface JudgeState {
  lanes: Lanes;
  withheld: Withheld;
  retries: Retries;
  breaker: Breaker;
  late: LateCommits;
  /** By message id: how often the sink went away while it was with it. */
  falls: Map<string, number>;
}

interface Tried extends Timing {
  held: Held;
  failure: Failure;
}

/** Longest wait for evidence before an ambiguous failure is held against its message. */
const EVIDENCE_MS = 1000;
/** How often the sink may go away right after a message before the message is suspected of taking it down. */
const FALLS_FORGIVEN = 2;
/** Failures that are the endpoint's own answer: it was there. */
const ANSWERED: ReadonlySet<string> = new Set(["server_error", "unknown"]);
/** Messages that are remembered for it: those of the latest outages. */
const MOST_REMEMBERED = 10_000;

/**
 * Decides what an outcome of the sink means for the message, its aggregate and the sink itself (R3): the environment
 * burns nothing and opens the breaker; a message turned down for good is dead; what is ambiguous burns an attempt
 * unless it turns out that the sink was to blame.
 */
export class Judge {
  readonly #context: PipelineContext;
  readonly #state: JudgeState;
  readonly #decide: (held: Held, outcome: MessageOutcome) => void;
  readonly #undo: (undo: { id: string; attempts: number }[]) => void;
  readonly #works: () => void;
  readonly #suspects = new Suspects<Tried>();
  #evidenceTimer: NodeJS.Timeout | undefined;

  constructor(
    context: PipelineContext,
    state: JudgeState,
    events: {
      decide: (held: Held, outcome: MessageOutcome) => void;
      /** Attempts that were written as burned and were not the message's fault. */
      undo: (undo: { id: string; attempts: number }[]) => void;
      /** The breaker has closed. */
      works: () => void;
    },
  ) {
    this.#context = context;
    this.#state = state;
    this.#decide = events.decide;
    this.#undo = events.undo;
    this.#works = events.works;
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
    if (failure.kind === "message") {
      this.#rejected({ ...timing, held, failure });
      return;
    }
    if (this.#state.breaker.probing) {
      this.#probeFailed(held, failure);
      return;
    }
    if (failure.kind === "environment") {
      this.#environment(held, failure);
      return;
    }
    this.#ambiguous({ ...timing, held, failure });
  }

  /** Nothing is under way and nothing waits: no success can speak for the sink any more. */
  noMoreEvidence(): void {
    if (this.#suspects.hasUnrecorded) this.#burn(this.#suspects.record().map(({ subject }) => subject));
  }

  /** The aggregate waits for a verdict. */
  suspects(key: string): boolean {
    return this.#suspects.some((suspect) => suspect.key === key && !suspect.recorded);
  }

  stop(): void {
    clearTimeout(this.#evidenceTimer);
  }

  /** Gives up on a message without trying it again. */
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
    // A retry may be ahead of its aggregate: what comes before it is not late.
    if (!held.retry) this.#state.late.wentOut(held.message);
    this.#decide(held, { kind: "published", startedAt: timing.startedAt, durationMs: timing.durationMs });
    this.#sinkWorks();
  }

  /** The lane stops with the message: what follows must not go before it. */
  #aborted(held: Held): void {
    if (this.#state.breaker.probing) this.#state.breaker.probeAborted();
    this.giveBack([held, ...this.#state.lanes.empty(held.lane)]);
  }

  #rejected({ held, failure, startedAt, durationMs }: Tried): void {
    this.#decide(held, { kind: "dead", failure, startedAt, durationMs });
    this.#context.stats.failures += 1;
    this.#context.stats.lastError = failure.message;
    this.#sinkWorks();
  }

  /** An answer about one message is an answer of a sink that works. */
  #sinkWorks(): void {
    const { breaker } = this.#state;
    if (breaker.probing) {
      breaker.close(performance.now());
      this.#context.log.info("the sink works again");
      this.#works();
    }
    const burned = this.#suspects.success();
    if (burned.length > 0) this.#burn(burned.map(({ subject }) => subject));
  }

  #probeFailed(held: Held, failure: Failure): void {
    this.#context.stats.lastError = failure.message;
    this.#state.breaker.probeFailed(failure, performance.now());
    this.giveBack([held, ...this.#state.lanes.empty(held.lane)]);
  }

  #environment(held: Held, failure: Failure): void {
    this.#openBreaker(failure);
    this.giveBack([held, ...this.#state.lanes.empty(held.lane)]);
    this.#forgive(this.#suspects.take(({ failure: before }) => !ANSWERED.has(before.code)));
  }

  /** What got no answer as the sink went away was not at fault, unless it is there every time. */
  #forgive(suspects: readonly Suspect<Tried>[]): void {
    const { falls: remembered } = this.#state;
    if (remembered.size > MOST_REMEMBERED) remembered.clear();
    const [innocent, guilty] = [[] as Suspect<Tried>[], [] as Suspect<Tried>[]];
    for (const suspect of suspects) {
      const { id } = suspect.subject.held.message;
      const falls = (remembered.get(id) ?? 0) + 1;
      remembered.set(id, falls);
      (falls > FALLS_FORGIVEN ? guilty : innocent).push(suspect);
    }
    this.#burn(guilty.filter(({ recorded }) => !recorded).map(({ subject }) => subject));
    this.#acquit(innocent);
  }

  #openBreaker(failure: Failure): void {
    const { breaker, lanes } = this.#state;
    this.#context.stats.lastError = failure.message;
    if (!breaker.open(failure, performance.now())) return;
    this.#context.log.warn({ code: failure.code, error: failure.message }, "the sink cannot be used: holding");
    this.giveBack(lanes.emptyAll());
  }

  #ambiguous(tried: Tried): void {
    const { held, failure } = tried;
    const { breaker, lanes, withheld } = this.#state;
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
    const convicted = this.#suspects.add(held.lane.key ?? held.message.id, tried);
    if (convicted) {
      this.#openBreaker(failure);
      this.#acquit(convicted);
      return;
    }
    this.#evidenceTimer ??= setTimeout(() => {
      this.#evidenceTimer = undefined;
      this.noMoreEvidence();
    }, EVIDENCE_MS);
  }

  #blocks(held: Held): boolean {
    return this.#context.settings.onFailure === "block" && held.lane.key !== null;
  }

  /** The sink is to blame: attempts that were held against these messages are given back. */
  #acquit(suspects: readonly Suspect<Tried>[]): void {
    this.giveBack(suspects.filter(({ recorded }) => !recorded).map(({ subject }) => subject.held));
    const counts = new Map<string, number>();
    for (const { recorded, subject } of suspects) {
      const { id } = subject.held.message;
      if (recorded) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    if (counts.size > 0) this.#undo([...counts].map(([id, attempts]) => ({ id, attempts })));
  }

  #burn(suspects: readonly Tried[]): void {
    for (const { held, failure, startedAt, durationMs } of suspects) {
      const attempts = held.message.attempts + 1;
      this.#context.stats.failures += 1;
      if (attempts >= this.#context.table.maxAttempts) {
        this.#decide(held, { kind: "dead", failure, startedAt, durationMs });
        continue;
      }
      const policy = { ...this.#context.settings.retry, maxAttempts: this.#context.table.maxAttempts };
      const nextAttemptInMs = Math.max(retryDelayMs(policy, attempts, Math.random()), failure.retryAfterMs ?? 0);
      this.#decide(held, { kind: "failed", failure, startedAt, durationMs, nextAttemptInMs });
    }
  }
}
