import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { PauseRow } from "#db/stores/port/pauses.ts";
import type { OutboxHandle } from "../../../runtime.ts";

const READ_EVERY_MS = 1000;

export interface ReplayPause {
  /** Sentence: why nothing of the outbox is sent now; null if it may be. */
  all: string | null;
  /** Sentence: why one message is not sent; null if it may be. */
  of(row: MessageRow): Promise<string | null>;
}

const NONE: ReplayPause = { all: null, of: async () => null };

/** People's pauses that stop a message from being re-published. Holds behind dead messages do not stop it. */
export class ReplayPauses {
  readonly #outbox: string;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #known = NONE;

  constructor(outbox: string) {
    this.#outbox = outbox;
  }

  async read(handle: OutboxHandle): Promise<ReplayPause> {
    if (performance.now() - this.#readAtMs < READ_EVERY_MS) return this.#known;
    const { records } = handle.store;
    const { paused } = await records.relays(this.#outbox);
    const whole = paused.pauses.find(({ scope }) => scope === "outbox");
    this.#known = {
      all: whole ? `Outbox ${this.#outbox} is paused by ${whole.by}: ${whole.reason}` : null,
      of: paused.total === 0 ? NONE.of : (row) => this.#pauseOf(handle, row),
    };
    this.#readAtMs = performance.now();
    return this.#known;
  }

  async #pauseOf({ store, mapping }: OutboxHandle, row: MessageRow): Promise<string | null> {
    const { eventType, aggregateType, aggregateId } = row;
    const typed = mapping.columns.aggregateType !== undefined;
    const aggregateKey =
      aggregateId === null || !typed ? aggregateId : aggregateType && `${aggregateType}/${aggregateId}`;
    const pauses = await store.records.pausesOf({ outbox: this.#outbox, eventType, aggregateKey });
    const own = pauses.find(({ messageId }) => messageId === null);
    return own ? `Its ${WORDS[own.scope]} is paused by ${own.by}: ${own.reason}` : null;
  }
}

const WORDS: Record<PauseRow["scope"], string> = {
  outbox: "outbox",
  event_type: "event type",
  aggregate: "aggregate",
};
