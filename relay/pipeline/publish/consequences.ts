import type { MessageOutcome, Refund } from "#db/stores/port/relay/settle.ts";
import type { Failure } from "#domain/failure.ts";
import { retryDelayMs } from "#domain/relay/retry-policy.ts";
import type { ClaimedMessage, Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Routes } from "../state/routes.ts";
import type { Timing } from "./publisher.ts";
import type { UndecidedFailure } from "./undecided-failures.ts";

/** A message with its failure. `failedMs` is a time of this process's monotonic clock. */
export interface Tried extends Timing {
  claimed: ClaimedMessage;
  failure: Failure;
  failedMs: number;
}

type Published = Extract<MessageOutcome, { kind: "published" }>;

/** Longest wait of a message whose route is at fault, ms: only its next attempt shows that the route works again. */
const LONGEST_ROUTE_WAIT_MS = 30_000;

export interface ConsequenceEvents {
  decide: (claimed: ClaimedMessage, outcome: MessageOutcome) => void;
  /** Refunds attempts that were written as failed and were not the message's fault. */
  refundAttempts: (tries: Refund[]) => void;
}

/** Carries out what OutcomeHandler decides: each method ends a message's try with one outcome. */
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

  publish(claimed: ClaimedMessage, { startedAt, durationMs }: Pick<Timing, "startedAt" | "durationMs">): void {
    if (this.#published.startedAt !== startedAt || this.#published.durationMs !== durationMs)
      this.#published = { kind: "published", startedAt, durationMs };
    this.#events.decide(claimed, this.#published);
  }

  /** Returns messages to the table without using up an attempt. */
  giveBack(messages: readonly ClaimedMessage[]): void {
    for (const claimed of messages) {
      this.#lanes.giveBack(claimed);
      this.#events.decide(claimed, { kind: "given_back" });
    }
  }

  /** Dead without another attempt. */
  deadLetter(input: { claimed: ClaimedMessage; failure: Failure; startedAt: Date; durationMs: number | null }): void {
    const { claimed, failure, startedAt, durationMs } = input;
    this.#events.decide(claimed, { kind: "dead", failure, startedAt, durationMs });
    this.#context.stats.failures += 1;
    this.#context.stats.lastError = failure.message;
  }

  /** Each uses up an attempt; dead if it was the last. */
  chargeAttempts(failures: readonly Tried[]): void {
    for (const tried of failures) {
      const { claimed, failure, startedAt, durationMs } = tried;
      const attempts = claimed.message.attempts + 1;
      const most = Math.min(this.#context.table.maxAttempts, claimed.message.mostAttempts ?? Number.POSITIVE_INFINITY);
      if (attempts < most) {
        this.#retry(tried, attempts, false);
        continue;
      }
      this.#context.stats.failures += 1;
      this.#routes.forgetWritten(claimed.message);
      this.#events.decide(claimed, { kind: "dead", failure, startedAt, durationMs });
    }
  }

  /** Waits and uses up no attempt. `times`: number of failures, for the back-off. */
  postpone(tried: Tried, times: number): void {
    this.#retry(tried, times, true);
  }

  /** The messages are not to blame: gives them back and refunds their attempts that were written as used up. */
  refund(failures: readonly UndecidedFailure<Tried>[]): void {
    this.giveBack(failures.filter(({ recorded }) => !recorded).map(({ subject }) => subject.claimed));
    const written = new Map<string, Refund>();
    for (const { recorded, subject } of failures) {
      if (!recorded) continue;
      const { id } = subject.claimed.message;
      const charged = (written.get(id)?.charged ?? 0) + 1;
      written.set(id, { id, tries: charged, charged });
      this.#routes.refunded(subject.claimed.message, { tries: 1, charged: 1 });
    }
    this.refundAttempts([...written.values()]);
  }

  /** Refunds attempts that were written; nothing for an empty list. */
  refundAttempts(tries: Refund[]): void {
    if (tries.length > 0) this.#events.refundAttempts(tries);
  }

  #retry({ claimed, failure, startedAt, durationMs }: Tried, times: number, spares: boolean): void {
    this.#context.stats.failures += 1;
    this.#routes.wrote(claimed.message, !spares);
    const { retry } = this.#context.settings;
    const maxMs = failure.kind === "route" ? Math.min(retry.maxMs, LONGEST_ROUTE_WAIT_MS) : retry.maxMs;
    const policy = { ...retry, maxMs, maxAttempts: this.#context.table.maxAttempts };
    const nextAttemptInMs = Math.max(retryDelayMs(policy, times, Math.random()), failure.retryAfterMs ?? 0);
    const outcome = { kind: "failed", failure, startedAt, durationMs, nextAttemptInMs } as const;
    this.#events.decide(claimed, spares ? { ...outcome, spares } : outcome);
  }
}
