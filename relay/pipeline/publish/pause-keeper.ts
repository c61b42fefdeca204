import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Held, Lanes } from "../state/lanes.ts";
import type { PauseChange, Pauses } from "../state/pauses.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Retries } from "../state/retries.ts";
import type { Watermark } from "../state/watermark.ts";
import type { Withheld } from "../state/withheld.ts";
import type { Judge } from "./judge.ts";

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
  readonly #judge: Judge;
  readonly #events: PauseEvents;
  /** Ended pauses whose messages are still held: aggregates, and whether there are event types. */
  readonly #ended: string[] = [];
  #typesEnded = false;

  constructor(context: PipelineContext, state: PauseState, judge: Judge, events: PauseEvents) {
    this.#context = context;
    this.#state = state;
    this.#judge = judge;
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
  hold({ message: { id, aggregateKey, order } }: Held): void {
    const { lanes, pauses, withheld } = this.#state;
    if (aggregateKey === null) return;
    pauses.hold(id, aggregateKey);
    withheld.hold(aggregateKey, "paused", order);
    this.#judge.giveBack(lanes.surplus(aggregateKey, 0));
  }

  /** True if its event type is paused. */
  waits({ eventType }: Pick<OutgoingMessage, "eventType">): boolean {
    return this.#state.pauses.coversType(eventType);
  }

  /** A message was found in the table: if its event type is paused, its aggregate waits from it on. */
  meet(message: Pick<OutgoingMessage, "aggregateKey" | "eventType" | "order">): void {
    const { aggregateKey, order } = message;
    if (aggregateKey !== null && this.waits(message)) this.#state.withheld.hold(aggregateKey, "paused_type", order);
  }

  /** True if the message and those after it must wait; earlier ones go on. */
  stops(held: Held): boolean {
    const { pauses, withheld } = this.#state;
    const { aggregateKey } = held.message;
    const typePaused = this.waits(held.message);
    this.meet(held.message);
    if (typePaused || held.retry) return pauses.covers(held.message);
    return aggregateKey !== null && withheld.isHeld(aggregateKey, "paused_type");
  }

  stopsRetry(id: string): boolean {
    const { pauses, retries } = this.#state;
    const waiting = retries.get(id);
    return waiting !== undefined && pauses.covers(waiting);
  }

  #begin({ begunAggregates, begunTypes }: PauseChange): void {
    const { lanes, withheld } = this.#state;
    for (const key of begunAggregates) {
      withheld.hold(key, "paused", null);
      this.#judge.giveBack(lanes.surplus(key, 0));
    }
    if (begunTypes.size === 0) return;
    for (const held of lanes.firstOf((message) => begunTypes.has(message.eventType ?? ""))) {
      const { aggregateKey, order } = held.message;
      if (aggregateKey !== null) withheld.hold(aggregateKey, "paused_type", order);
      this.#judge.giveBack(lanes.cutFrom(held));
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
