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
  /** The whole outbox is paused, or goes on. */
  outbox: (paused: boolean) => void;
  /** False when what was read was out of date at once. */
  refreshRetries: () => Promise<boolean>;
  wake: () => void;
}

/** Keeps a pipeline to what is paused on purpose: what has begun is taken back, what has ended is read again. */
export class PauseKeeper {
  readonly #context: PipelineContext;
  readonly #state: PauseState;
  readonly #judge: Judge;
  readonly #events: PauseEvents;
  /** Aggregates, and whether any event types, that are paused no more and are still held. */
  readonly #ended: string[] = [];
  #typesEnded = false;

  constructor(context: PipelineContext, state: PauseState, judge: Judge, events: PauseEvents) {
    this.#context = context;
    this.#state = state;
    this.#judge = judge;
    this.#events = events;
  }

  /** A pause has ended whose messages could not be gone on with yet, or a hold may have come and gone between two beats. */
  get mustRead(): boolean {
    return this.#hasEnded || this.#state.pauses.hasUnreadHolds;
  }

  get #hasEnded(): boolean {
    return this.#typesEnded || this.#ended.length > 0;
  }

  /** Reads what is paused. True when the whole outbox is. */
  async refresh(): Promise<boolean> {
    const { pauses } = this.#state;
    const begun = pauses.begin();
    const change = pauses.replace(await this.#context.table.readPauses(), begun);
    this.#begin(change);
    if (change.outbox) this.#events.outbox(true);
    this.#ended.push(...change.endedAggregates);
    this.#typesEnded ||= change.endedTypes;
    // A message that was retried goes before what was held behind it: it must be known first.
    if (this.#hasEnded && (await this.#events.refreshRetries())) this.#goOn();
    if (!change.outbox) this.#events.outbox(false);
    return change.outbox;
  }

  /** What follows a message that is given up on waits at once; its settle makes that last. */
  hold({ message: { id, aggregateKey, order } }: Held): void {
    const { lanes, pauses, withheld } = this.#state;
    if (aggregateKey === null) return;
    pauses.hold(id, aggregateKey);
    withheld.hold(aggregateKey, "paused", order);
    this.#judge.giveBack(lanes.surplus(aggregateKey, 0));
  }

  /** Its event type is paused. */
  waits({ eventType }: Pick<OutgoingMessage, "eventType">): boolean {
    return this.#state.pauses.coversType(eventType);
  }

  /** A message was met in the table: where its event type is paused, its aggregate waits from it on. */
  meet(message: Pick<OutgoingMessage, "aggregateKey" | "eventType" | "order">): void {
    const { aggregateKey, order } = message;
    if (aggregateKey !== null && this.waits(message)) this.#state.withheld.hold(aggregateKey, "paused_type", order);
  }

  /** The message must wait, and what follows it: what comes before it goes on. */
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

  /** Reads have passed over what was paused: everything is looked at again. */
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
