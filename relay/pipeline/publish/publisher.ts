import { messageOf } from "#domain/errors.ts";
import type { PublishOutcome } from "#relay/sinks/sink.ts";
import type { IsolationMember } from "../state/isolation.ts";
import type { ClaimedMessage, Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";

export interface Timing {
  /** On the database's clock. */
  startedAt: Date;
  /** The same by `performance.now()`. */
  startedMs: number;
  durationMs: number;
}

/**
 * Full calls in flight to a sink that takes batches: a call ends with its last confirmation, and others use the time.
 */
const CALLS = 4;

/** Keeps the sink busy: publishes as many messages at once as allowed, from as many lanes. */
export class Publisher implements IsolationMember {
  readonly #context: PipelineContext;
  readonly #lanes: Lanes;
  readonly #onOutcome: (claimed: ClaimedMessage, outcome: PublishOutcome, timing: Timing) => void;
  readonly #onQuiet: () => void;
  #abort = new AbortController();
  #inFlight = 0;
  /** While true, nothing new is published. */
  paused = false;
  #isolated = false;

  constructor(
    context: PipelineContext,
    lanes: Lanes,
    events: {
      onOutcome: (claimed: ClaimedMessage, outcome: PublishOutcome, timing: Timing) => void;
      /** A round of outcomes was handled; lanes may have room. */
      onQuiet: () => void;
    },
  ) {
    this.#context = context;
    this.#lanes = lanes;
    this.#onOutcome = events.onOutcome;
    this.#onQuiet = events.onQuiet;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Publishes what may go out. Checks the lease before each batch: a process frozen for a minute must not go on. */
  pump(): void {
    const { sink, settings } = this.#context;
    const runs = sink.maxBatch > 1 && sink.keepsOrderInBatch;
    const most = runs ? Math.max(settings.concurrency, sink.maxBatch * CALLS) : settings.concurrency;
    while (!this.paused && !this.#isolated && this.#lanes.hasReady && this.#inFlight < most) {
      if (performance.now() >= this.#context.publishUntilMs()) return;
      const batch = this.#lanes.take(Math.min(sink.maxBatch, most - this.#inFlight), runs);
      this.#inFlight += batch.length;
      void this.#publish(batch);
    }
  }

  /** Publishes one message that was taken out of its lane, while all others are held. */
  async publishAlone(claimed: ClaimedMessage): Promise<void> {
    this.#inFlight += 1;
    await this.#publish([claimed]);
  }

  /** True: stop publishing, because a message must be alone with its sink. False: go on. */
  setIsolated(on: boolean): void {
    this.#isolated = on;
    if (!on) this.pump();
  }

  /** Aborts all calls in flight; each message comes back as aborted, or with the outcome it had. */
  abort(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  async #publish(batch: ClaimedMessage[]): Promise<void> {
    const startedMs = performance.now();
    const startedAt = this.#context.clock.at(startedMs);
    const outcomes = await this.#ask(batch);
    const timing = { startedAt, startedMs, durationMs: performance.now() - startedMs };
    this.#inFlight -= batch.length;
    for (let index = 0; index < batch.length; index += 1) {
      const claimed = batch[index] as ClaimedMessage;
      this.#lanes.finish(claimed);
      this.#onOutcome(claimed, outcomes[index] ?? UNTOLD, timing);
    }
    this.pump();
    this.#onQuiet();
  }

  async #ask(batch: ClaimedMessage[]): Promise<PublishOutcome[]> {
    try {
      return await this.#context.sink.publish(
        batch.map((claimed) => claimed.message),
        this.#abort.signal,
      );
    } catch (error) {
      // A sink that throws has a bug: any of the messages may have arrived.
      this.#context.log.error({ err: error }, "the sink failed in an unexpected way");
      const message = messageOf(error);
      return batch.map(() => ({ kind: "failed", failure: { code: "unknown", kind: "ambiguous", message } }));
    }
  }
}

const UNTOLD: PublishOutcome = {
  kind: "failed",
  failure: { code: "unknown", kind: "ambiguous", message: "The sink returned no outcome for the message." },
};
