import type { MessageOutcome, TakenBack } from "#db/stores/port/relay/settle.ts";
import type { Failure } from "#domain/failure.ts";
import { retryDelayMs } from "#domain/retry-policy.ts";
import type { Held, Lanes } from "../state/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Routes } from "../state/routes.ts";
import type { Suspect } from "./ambiguous-failures.ts";
import type { Timing } from "./publisher.ts";

/** A message with its failure. `failedMs` is a time of this process's monotonic clock. */
export interface Tried extends Timing {
  held: Held;
  failure: Failure;
  failedMs: number;
}

type Published = Extract<MessageOutcome, { kind: "published" }>;

/** Longest wait of a message whose route is at fault, ms: only its next attempt shows that the route works again. */
const LONGEST_ROUTE_WAIT_MS = 30_000;

export interface ConsequenceEvents {
  decide: (held: Held, outcome: MessageOutcome) => void;
  /** Refunds attempts that were written as failed and were not the message's fault. */
  takeBack: (tries: TakenBack[]) => void;
}

/** Carries out the judge's decisions: each method ends a message's try with one outcome. */
export class Consequences {
  readonly #context: PipelineContext;
  readonly #lanes: Lanes;
  readonly #routes: Routes;
  readonly #events: ConsequenceEvents;
  /** The outcome of the last published message: those of one call to the sink share it. */
  #published: Published = { kind: "published", startedAt: new Date(0), durationMs: 0 };

  constructor(context: PipelineContext, state: { lanes: Lanes; routes: Routes }, events: ConsequenceEvents) {
    this.#context = context;
    this.#lanes = state.lanes;
    this.#routes = state.routes;
    this.#events = events;
  }

  publish(held: Held, { startedAt, durationMs }: Pick<Timing, "startedAt" | "durationMs">): void {
    if (this.#published.startedAt !== startedAt || this.#published.durationMs !== durationMs)
      this.#published = { kind: "published", startedAt, durationMs };
    this.#events.decide(held, this.#published);
  }

  /** Returns messages to the table without using up an attempt. */
  giveBack(messages: readonly Held[]): void {
    for (const held of messages) {
      this.#lanes.giveBack(held);
      this.#events.decide(held, { kind: "given_back" });
    }
  }

  /** Dead without another attempt. */
  kill(input: { held: Held; failure: Failure; startedAt: Date; durationMs: number | null }): void {
    const { held, failure, startedAt, durationMs } = input;
    this.#events.decide(held, { kind: "dead", failure, startedAt, durationMs });
    this.#context.stats.failures += 1;
    this.#context.stats.lastError = failure.message;
  }

  /** Each uses up an attempt; dead if it was the last. */
  burn(failures: readonly Tried[]): void {
    for (const tried of failures) {
      const { held, failure, startedAt, durationMs } = tried;
      const attempts = held.message.attempts + 1;
      const most = Math.min(this.#context.table.maxAttempts, held.message.mostAttempts ?? Number.POSITIVE_INFINITY);
      if (attempts < most) {
        this.#retry(tried, attempts, false);
        continue;
      }
      this.#context.stats.failures += 1;
      this.#routes.forgetWritten(held.message);
      this.#events.decide(held, { kind: "dead", failure, startedAt, durationMs });
    }
  }

  /** Waits and uses up no attempt. `times`: number of failures, for the back-off. */
  postpone(tried: Tried, times: number): void {
    this.#retry(tried, times, true);
  }

  /** The messages are not to blame: gives them back and refunds their attempts that were written as used up. */
  acquit(suspects: readonly Suspect<Tried>[]): void {
    this.giveBack(suspects.filter(({ recorded }) => !recorded).map(({ subject }) => subject.held));
    const written = new Map<string, TakenBack>();
    for (const { recorded, subject } of suspects) {
      if (!recorded) continue;
      const { id } = subject.held.message;
      const burned = (written.get(id)?.burned ?? 0) + 1;
      written.set(id, { id, tries: burned, burned });
      this.#routes.tookBack(subject.held.message, { tries: 1, burned: 1 });
    }
    this.takeBack([...written.values()]);
  }

  /** Refunds attempts that were written; nothing for an empty list. */
  takeBack(tries: TakenBack[]): void {
    if (tries.length > 0) this.#events.takeBack(tries);
  }

  #retry({ held, failure, startedAt, durationMs }: Tried, times: number, spares: boolean): void {
    this.#context.stats.failures += 1;
    this.#routes.wrote(held.message, !spares);
    const { retry } = this.#context.settings;
    const maxMs = failure.kind === "route" ? Math.min(retry.maxMs, LONGEST_ROUTE_WAIT_MS) : retry.maxMs;
    const policy = { ...retry, maxMs, maxAttempts: this.#context.table.maxAttempts };
    const nextAttemptInMs = Math.max(retryDelayMs(policy, times, Math.random()), failure.retryAfterMs ?? 0);
    const outcome = { kind: "failed", failure, startedAt, durationMs, nextAttemptInMs } as const;
    this.#events.decide(held, spares ? { ...outcome, spares } : outcome);
  }
}
