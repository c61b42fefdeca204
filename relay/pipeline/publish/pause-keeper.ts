import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { ClaimedMessage, Lanes } from "../state/lanes/lanes.ts";
import type { PauseChange, Pauses } from "../state/pauses.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Retries } from "../state/retries.ts";
import type { Watermark } from "../state/watermark.ts";
import type { Withheld } from "../state/withheld.ts";
import type { OutcomeHandler } from "./outcome-handler.ts";

export interface PauseState {
  lanes: Lanes;
  watermark: Watermark;
  withheld: Withheld;
  retries: Retries;
  pauses: Pauses;
}

export interface PauseEvents {
  /** Pauses or resumes the whole outbox. */
  outbox: (paused: boolean) => void;
  /** False if the retries changed during the read, so that its result was discarded. */
  refreshRetries: () => Promise<boolean>;
  wake: () => void;
}

/** Applies pauses to a pipeline: messages of a new pause are given back, those of an ended one are read again. */
export class PauseKeeper {
  readonly #context: PipelineContext;
  readonly #state: PauseState;
  readonly #outcomes: OutcomeHandler;
  readonly #events: PauseEvents;
  /** Ended pauses whose messages are still held: aggregates, and whether there are event types. */
  readonly #ended: string[] = [];
  #typesEnded = false;

  constructor(context: PipelineContext, state: PauseState, outcomes: OutcomeHandler, events: PauseEvents) {
    this.#context = context;
    this.#state = state;
    this.#outcomes = outcomes;
    this.#events = events;
  }

  /**
   * True if messages of an ended pause are still held, or if a hold may have begun and ended between two heartbeats.
   */
  get mustRead(): boolean {
    return this.#hasEnded || this.#state.pauses.hasUnreadHolds;
  }

  get #hasEnded(): boolean {
    return this.#typesEnded || this.#ended.length > 0;
  }

  /** Reads and applies the pauses. True if the whole outbox is paused. */
  async refresh(): Promise<boolean> {
    const { pauses } = this.#state;
    const begun = pauses.begin();
    const change = pauses.replace(await this.#context.table.readPauses(), begun);
    this.#begin(change);
    if (change.outbox) this.#events.outbox(true);
    this.#ended.push(...change.endedAggregates);
    this.#typesEnded ||= change.endedTypes;
    // Retries are read first: a retried message goes before those held behind it.
    if (this.#hasEnded && (await this.#events.refreshRetries())) this.#goOn();
    if (!change.outbox) this.#events.outbox(false);
    return change.outbox;
  }

  /** Holds the aggregate of a dead message at once; the settle makes the hold durable. */
  hold({ message: { id, aggregateKey, order } }: ClaimedMessage): void {
    const { lanes, pauses, withheld } = this.#state;
    if (aggregateKey === null) return;
    pauses.hold(id, aggregateKey);
    withheld.withhold(aggregateKey, "paused", order);
    this.#outcomes.giveBack(lanes.surplus(aggregateKey, 0));
  }

  /** True if its event type is paused. */
  waits({ eventType }: Pick<OutgoingMessage, "eventType">): boolean {
    return this.#state.pauses.coversType(eventType);
  }

  /** A message was found in the table: if its event type is paused, its aggregate waits from it on. */
  meet(message: Pick<OutgoingMessage, "aggregateKey" | "eventType" | "order">): void {
    const { aggregateKey, order } = message;
    if (aggregateKey !== null && this.waits(message)) this.#state.withheld.withhold(aggregateKey, "paused_type", order);
  }

  /** True if the message and those after it must wait; earlier ones go on. */
  stops(claimed: ClaimedMessage): boolean {
    const { pauses, withheld } = this.#state;
    const { aggregateKey } = claimed.message;
    const typePaused = this.waits(claimed.message);
    this.meet(claimed.message);
    if (typePaused || claimed.retry) return pauses.covers(claimed.message);
    return aggregateKey !== null && withheld.isWithheldFor(aggregateKey, "paused_type");
  }

  stopsRetry(id: string): boolean {
    const { pauses, retries } = this.#state;
    const waiting = retries.get(id);
    return waiting !== undefined && pauses.covers(waiting);
  }

  #begin({ begunAggregates, begunTypes }: PauseChange): void {
    const { lanes, withheld } = this.#state;
    for (const key of begunAggregates) {
      withheld.withhold(key, "paused", null);
      this.#outcomes.giveBack(lanes.surplus(key, 0));
    }
    if (begunTypes.size === 0) return;
    for (const claimed of lanes.firstOf((message) => begunTypes.has(message.eventType ?? ""))) {
      const { aggregateKey, order } = claimed.message;
      if (aggregateKey !== null) withheld.withhold(aggregateKey, "paused_type", order);
      this.#outcomes.giveBack(lanes.cutFrom(claimed));
    }
  }

  /** Lifts ended pauses. Reads have passed their messages, so everything is read again. */
  #goOn(): void {
    const { watermark, pauses, withheld } = this.#state;
    const keys = this.#ended.splice(0).filter((key) => !pauses.coversAggregate(key));
    for (const key of keys) withheld.free(key, "paused");
    if (this.#typesEnded) for (const key of withheld.keysFor("paused_type")) withheld.free(key, "paused_type");
    this.#typesEnded = false;
    watermark.reset();
    this.#events.wake();
  }
}
